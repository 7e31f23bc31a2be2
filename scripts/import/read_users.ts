import { OperatorError } from "../../runtime/operator_error.ts";
import { readElements } from "./read_elements.ts";
import { readLines, type Line } from "./read_lines.ts";

/**
 * Reads one user after the other: the lines of NDJSON, or the elements of a JSON array, which is recognized by its
 * first character.
 * @throws OperatorError for UTF-16, named once instead of for every line
 */
export async function* readUsers(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  // Until the first character that is no blank: behind a byte order mark and the line breaks that tools begin with.
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= 4 && start.subarray(0, 4_096).toString("utf8").trim() !== "") break;
  }
  if (isUtf16(start)) throw new OperatorError("The file is UTF-16. Convert it first: iconv -f UTF-16 -t UTF-8");
  const rest = { [Symbol.asyncIterator]: () => iterator };
  const all = (async function* () {
    yield start;
    yield* rest;
  })();
  const isArray = start.subarray(0, 4_096).toString("utf8").trim().startsWith("[");
  yield* isArray ? readElements(all) : readLines(all);
}

/** By its byte order mark, or by the zero byte beside an ASCII character. */
const isUtf16 = (start: Buffer): boolean =>
  ["fffe", "feff"].includes(start.toString("hex", 0, 2)) || (start.length >= 2 && (start[0] === 0 || start[1] === 0));
