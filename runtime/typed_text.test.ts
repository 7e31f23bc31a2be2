import { expect, test } from "vitest";
import { readTypedCode, readTypedText } from "./typed_text.ts";

test.each([
  "123456",
  " 123 456\n",
  "123-456",
  "123–456",
  "1 2 3 4 5 6",
  "123\u00a0456",
  "123\u202f456",
  "123\u2011456",
  "\u200e123456\u200f",
  "\u2068123456\u2069",
  "123\u200b456",
  "\ufeff123456",
  "1\ufe0f23456",
  "123\u00ad456",
  "123−456",
  "１２３４５６",
  "１２３－４５６",
  "١٢٣٤٥٦",
  "۱۲۳۴۵۶",
  "१२३४५६",
  "১২৩৪৫৬",
  "𝟏𝟐𝟑𝟒𝟓𝟔",
  "𝟣𝟤𝟥𝟦𝟧𝟨",
])("the code %j is 123456", (typed) => {
  expect(readTypedCode(typed)).toBe("123456");
});

test("every decimal digit of Unicode is the ASCII digit of its value", () => {
  const digits = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
    .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((character) => /\p{Nd}/u.test(character));
  expect(digits.length).toBeGreaterThan(700);
  expect(readTypedText(digits.slice(0, 10).join(""))).toBe("0123456789");
  expect(digits.map(readTypedText).join("")).toBe("0123456789".repeat(digits.length / 10));
});

test.each(["12345x", "1234.6", "123456\u0000", "½23456", "一二三四五六", "①②③④⑤⑥"])(
  "what is no digit and no separator stays in the code %j",
  (typed) => {
    expect(readTypedCode(typed)).not.toMatch(/^[0-9]+$/);
  },
);

test("a text that is too long is not read", () => {
  expect(readTypedText("1".repeat(250))).toHaveLength(250);
  expect(readTypedText("1".repeat(251))).toBeUndefined();
  expect(readTypedCode(" ".repeat(251))).toBeUndefined();
});
