import { expect, test } from "vitest";
import { readUsers } from "./read_users.ts";

/** Reads an input that arrives in chunks of this size. */
async function usersOf(input: string | Buffer, chunkSize: number): Promise<[number, string | undefined][]> {
  const bytes = Buffer.from(input);
  // eslint-disable-next-line @typescript-eslint/require-await -- what a stream is
  async function* chunks() {
    for (let begin = 0; begin < bytes.length; begin += chunkSize) yield bytes.subarray(begin, begin + chunkSize);
  }
  const users: [number, string | undefined][] = [];
  for await (const { number, text } of readUsers(chunks())) users.push([number, text?.trim()]);
  return users.filter(([, text]) => text !== "");
}

const elements = ['{"a": "[1, {\\"]"}', '{"b": [1, {"c": ","}]}', "7", '"x"', "[2, 3]"];

test.each([1, 2, 3, 7, 1_000])("in chunks of %i bytes, the elements of an array are its users", async (size) => {
  expect(await usersOf(`\uFEFF\n [${elements.join(",\n  ")}\n]\n`, size)).toEqual(
    elements.map((text, index) => [index + 1, text]),
  );
  expect(await usersOf("[]", size)).toEqual([]);
  expect(await usersOf('\uFEFF{"a": 1}\n{"b": 2}', size)).toEqual([
    [1, '{"a": 1}'],
    [2, '{"b": 2}'],
  ]);
  expect(await usersOf("", size)).toEqual([]);
});

test("an element has text up to 16384 bytes, and the next one is read all the same", async () => {
  expect(await usersOf(`["${"x".repeat(20_000)}", {"b": 2}]`, 1_000)).toEqual([
    [1, undefined],
    [2, '{"b": 2}'],
  ]);
});

test("what follows an array is an element of its own, to be refused", async () => {
  expect(await usersOf('[{"a": 1}] {"b": 2}', 5)).toEqual([
    [1, '{"a": 1}'],
    [2, '"b": 2'],
  ]);
});

test("an array without an end is an incomplete file", async () => {
  for (const input of ['[{"a": 1},', '[{"a": 1}', '[{"a": "'])
    await expect(usersOf(input, 3)).rejects.toThrow("the file is incomplete");
});

test.each(["utf16le", "utf-16le with a mark", "utf-16be with a mark"])("%s is named once", async (form) => {
  const text = Buffer.from(form === "utf16le" ? '{"a": 1}' : '\uFEFF{"a": 1}', "utf16le");
  const bytes = form.includes("be") ? Buffer.from(text).swap16() : text;
  await expect(usersOf(bytes, 3)).rejects.toThrow("The file is UTF-16. Convert it first");
});
