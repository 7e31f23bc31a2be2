import { expect, test } from "vitest";
import { normalizeEmail, normalizePhone } from "./identifiers.ts";

test.each([
  "+12125550123",
  "+1 212 555 0123",
  "+1 (212) 555-0123",
  "+1-212-555-0123",
  "+1.212.555.0123",
  "+1/212/555/0123",
  "  +12125550123\t\n",
  "+1\u00a0212\u00a0555\u00a00123",
  "+1\u2011212\u2011555\u20110123",
  "+1 2 1 2 5 5 5 0 1 2 3",
  "+１２１２５５５０１２３",
  "+١٢١٢٥٥٥٠١٢٣",
])("the spelling %j is one and the same phone", (spelling) => {
  expect(normalizePhone(spelling)).toBe("+12125550123");
});

test.each([
  ["+44 (0)20 7946 0018", "+442079460018"],
  ["+39 06 698 12345", "+390669812345"],
  ["+49 1512 3456789", "+4915123456789"],
])("%s keeps or drops its zero by its country's rules", (spelling, phone) => {
  expect(normalizePhone(spelling)).toBe(phone);
});

test.each([
  ["without a plus", "12125550123"],
  ["with an international prefix in place of the plus", "0012125550123"],
  ["in its national form", "(212) 555-0123"],
  ["with an extension", "+12125550123 ext. 5"],
  ["with another extension", "+12125550123;ext=5"],
  ["with a third extension", "+12125550123x5"],
  ["with letters before it", "call +12125550123"],
  ["with letters after it", "+12125550123 please"],
  ["in letters", "+1800FLOWERS"],
  ["as an address", "tel:+12125550123"],
  ["with a second number", "+12125550123, +12125550124"],
  ["with a second plus", "++12125550123"],
  ["with a plus in the middle", "+1+2125550123"],
  ["too long", "+121255501234"],
  ["much too long", `+1${"2".repeat(300)}`],
  ["too short", "+1212555"],
  ["of no country", "+99912345678"],
  ["with an area code that does not exist", "+10005550123"],
  ["of nothing but a plus", "+"],
  ["empty", ""],
])("a phone %s is refused", (_what, text) => {
  expect(normalizePhone(text)).toBeUndefined();
});

test("an email is trimmed and lower-cased", () => {
  expect(normalizeEmail(" Some.One+tag@Example.COM\n")).toBe("some.one+tag@example.com");
});

test.each([
  ...["", "a", "a@", "@b.example", "a@b", "a b@c.example", "a@b.example, c@d.example", "<a@b.example>"],
  ...["a@b.example\u0000", "a@b..example", `${"a".repeat(250)}@b.example`],
])("%j is no email", (text) => {
  expect(normalizeEmail(text)).toBeUndefined();
});
