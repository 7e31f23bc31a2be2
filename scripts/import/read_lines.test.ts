import { expect, test } from "vitest";
import { maxLineBytes, readLines, type Line } from "./read_lines.ts";

/** Returns the lines of an input that arrives in chunks of this size. */
async function linesOf(input: string | Buffer, chunkSize = 1_000): Promise<Line[]> {
  const bytes = Buffer.from(input);
  // eslint-disable-next-line @typescript-eslint/require-await -- what a stream is
  async function* chunks() {
    for (let begin = 0; begin < bytes.length; begin += chunkSize) yield bytes.subarray(begin, begin + chunkSize);
  }
  const lines: Line[] = [];
  for await (const line of readLines(chunks())) lines.push(line);
  return lines;
}
const texts = async (...input: Parameters<typeof linesOf>) =>
  (await linesOf(...input)).map(({ number, text }) => [number, text]);

test.each([1, 2, 3, 7, 1_000])("lines are the same in chunks of %i bytes", async (chunkSize) => {
  expect(await texts("one\n\nthrée\r\nfour", chunkSize)).toEqual([
    [1, "one"],
    [2, ""],
    [3, "thrée\r"],
    [4, "four"],
  ]);
});

test("an empty input has no line, and a last newline begins none", async () => {
  expect(await texts("")).toEqual([]);
  expect(await texts("one\n")).toEqual([[1, "one"]]);
});

test("a line has text up to 16384 bytes, whatever the chunks", async () => {
  for (const chunkSize of [1_000, 100_000]) {
    const longest = "x".repeat(maxLineBytes);
    expect(await texts(`${longest}\n${longest}y\nnext\n${longest}yz`, chunkSize)).toEqual([
      [1, longest],
      [2, undefined],
      [3, "next"],
      [4, undefined],
    ]);
  }
});

test("bytes that are not UTF-8 have no text", async () => {
  expect(await texts(Buffer.from([0x61, 0x0a, 0xc3, 0x0a, 0x62]))).toEqual([
    [1, "a"],
    [2, undefined],
    [3, "b"],
  ]);
});

test("each line says how much has been read, for the progress bar", async () => {
  const lines = await linesOf("one\nzwölf\nthree", 2);
  expect(lines.map(({ bytesRead }) => bytesRead)).toEqual([4, 11, 16]);
});
