export interface Line {
  /** The number of the line, from 1. */
  number: number;
  /** Undefined if the line is longer than maxLineBytes or not UTF-8. */
  text: string | undefined;
  /** Bytes of the input up to the end of this line. */
  bytesRead: number;
}

export const maxLineBytes = 16_384;
const newline = 0x0a;

/** Splits a stream into lines. It never holds more than one chunk and one line, however long a line is. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line, void> {
  let number = 0;
  let bytesRead = 0;
  let parts: Buffer[] = [];
  let length = 0;

  function add(part: Buffer): void {
    length += part.length;
    bytesRead += part.length;
    if (length > maxLineBytes) parts = [];
    else parts.push(part);
  }
  function endLine(): Line {
    const text = length > maxLineBytes ? undefined : decode(Buffer.concat(parts));
    parts = [];
    length = 0;
    return { number: ++number, text, bytesRead };
  }

  for await (const chunk of chunks) {
    let begin = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, begin)) {
      add(chunk.subarray(begin, end));
      bytesRead++;
      yield endLine();
      begin = end + 1;
    }
    add(chunk.subarray(begin));
  }
  if (length > 0) yield endLine();
}

/** Text of bytes in UTF-8; undefined if they are not. */
export function decode(bytes: Buffer): string | undefined {
  try {
    // It removes the byte order mark with which some programs begin a file.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
