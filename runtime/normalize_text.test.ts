import { expect, test } from "vitest";
import { normalizeText } from "./normalize_text.ts";

test.each([
  ["marks", "\u0301", 1_024],
  ["characters of two units of UTF-16", "\u{1d165}", 1_024],
])("1,024 %s are normalized, and one more is not", (_what, character, most) => {
  expect(normalizeText(character.repeat(most), "NFC")).toBe(character.repeat(most).normalize("NFC"));
  expect(normalizeText(character.repeat(most + 1), "NFC")).toBeUndefined();
  expect(normalizeText(character.repeat(16_000), "NFKC")).toBeUndefined();
});

test("no character of a text in NFC is made of more than four others, so 1,024 always make 256", () => {
  let most = 0;
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    const decomposed = character.normalize("NFD");
    if (decomposed.normalize("NFC") === character) most = Math.max(most, Array.from(decomposed).length);
  }
  expect(most).toBe(4);
});
