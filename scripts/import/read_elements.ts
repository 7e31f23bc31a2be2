import { OperatorError } from "../../runtime/operator_error.ts";
import { decode, maxLineBytes, type Line } from "./read_lines.ts";

const [openBrace, closeBrace, openBracket, closeBracket] = Buffer.from("{}[]");
const [quote, backslash, comma] = Buffer.from('"\\,');

/**
 * Splits a JSON array into its elements. Their places, from 1, count as their lines. It never holds more than one chunk
 * and one element, however long an element is.
 * @throws OperatorError at the end of an array that is not closed: the file is incomplete
 */
export async function* readElements(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line, void> {
  let [number, bytesRead, depth, length] = [0, 0, 0, 0];
  let [inText, escaped] = [false, false];
  let parts: Buffer[] = [];

  function add(part: Buffer): void {
    length += part.length;
    if (length > maxLineBytes) parts = [];
    else parts.push(part);
  }
  function endElement(): Line {
    const text = length > maxLineBytes ? undefined : decode(Buffer.concat(parts));
    [parts, length] = [[], 0];
    return { number: ++number, text, bytesRead };
  }
  /** Whether the character is a comma between elements, or the array's first or last. */
  function separates(byte: number | undefined): boolean {
    if (escaped) escaped = false;
    else if (inText && byte === backslash) escaped = true;
    else if (byte === quote) inText = !inText;
    else if (inText) return false;
    else if (byte === openBrace || byte === openBracket) return ++depth === 1;
    else if (byte === closeBrace || byte === closeBracket) return --depth === 0;
    else return byte === comma && depth === 1;
    return false;
  }

  for await (const chunk of chunks) {
    let begin = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (!separates(chunk[at])) continue;
      add(chunk.subarray(begin, at));
      // What stands before the array is the byte order mark and blanks.
      if (depth === 1 && chunk[at] !== comma) [parts, length] = [[], 0];
      else yield endElement();
      begin = at + 1;
    }
    add(chunk.subarray(begin));
    bytesRead += chunk.length;
  }
  if (depth !== 0 || inText) throw new OperatorError("The JSON array has no end: the file is incomplete.");
  // Blank, or something that does not belong there, which is then refused.
  yield endElement();
}
