import { getCountries, getExampleNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/examples.mobile.json" with { type: "json" };
import { expect, test } from "vitest";
import { numberingChanges } from "../testing/service/numbering_changes.ts";
import { describeNumber, isValidPhone, normalizeEmail, normalizePhone } from "./identifiers.ts";

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
  "+१२१२५५५०१२३",
  "＋１２１２５５５０１２３",
  "＋1 212 555 0123",
  "\u202a+12125550123\u202c",
  "\u2066+1 212 555 0123\u2069 ",
  "\ufe0d+12125550123",
  "+1212\u200b555\u20600123",
  "\ufeff+12125550123",
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
  ["+54 9 11 2345-6789", "+5491123456789"],
  ["+54 11 2345-6789", "+5491123456789"],
  ["+54 11 15 2345-6789", "+5491123456789"],
  ["+54 0351 15 234-5678", "+5493512345678"],
  ["+54 351 234-5678", "+5493512345678"],
  ["+970 59 912 3456", "+970599123456"],
  ["+972 59 912 3456", "+970599123456"],
  ["+972 56 912 3456", "+970569123456"],
])("%s is one of two numbers of a mobile, which is %s", (spelling, phone) => {
  expect(normalizePhone(spelling)).toBe(phone);
});

test.each([
  ["a toll-free number", "+54 800 123 4567", "+548001234567"],
  ["a number of the country's other operators", "+972 50 234 5678", "+972502345678"],
  [
    "an eight-digit trunked radio, which another subscriber has with a ninth digit",
    "+55 11 7765 4321",
    "+551177654321",
  ],
  ["a mobile with a ninth digit", "+55 11 97765 4321", "+5511977654321"],
  ["a mobile that has had a prefix 1 formerly", "+52 55 1234 5678", "+525512345678"],
])("%s has no other number", (_what, spelling, phone) => {
  expect(normalizePhone(spelling)).toBe(phone);
});

test.each(numberingChanges)("%s is today %s, and stays it", (former, current) => {
  expect([normalizePhone(former), normalizePhone(current)]).toEqual([current, current]);
  expect(isValidPhone(current)).toBe(true);
});

test.each([
  ["the Beninese number of today, two digits short", "+229 01 97 12 34"],
  ["an Ivorian fixed line, which receives no SMS", "+225 20 12 34 56"],
  ["a Mexican number, a digit too long", "+52 1 55 1234 56789"],
])("%s is no former number", (_what, text) => {
  expect(normalizePhone(text)).toBeUndefined();
});

test.each([
  ["an area code that does not exist", "+10005550123"],
  ["a Brazilian area code that does not exist", "+55 20 98765 4321"],
])("a number of %s is possible and not valid", (_what, text) => {
  expect(isValidPhone(normalizePhone(text)!)).toBe(false);
});

test("a normalized phone stays what it is, in every country", () => {
  const phones = getCountries().map((country) => getExampleNumber(country, examples)!.number);
  const normalized = phones.map((phone) => normalizePhone(phone)!);
  expect(normalized.map(normalizePhone)).toEqual(normalized);
});

test.each(getCountries().map((country) => [country, getExampleNumber(country, examples)!] as const))(
  "a mobile of %s has one identifier, however many trunk and carrier prefixes are typed before it",
  (_, { countryCallingCode, nationalNumber }) => {
    const first = ["", "0", "1", "8", "00", "11", nationalNumber.slice(0, 1), nationalNumber.slice(0, 2)];
    const second = ["", "0", "1", "6", "8", "00", "10", "011", "015", "044", "045", "0150", "06"];
    const results = first.flatMap((one) =>
      second.map((other) => normalizePhone(`+${countryCallingCode}${one}${other}${nationalNumber}`)),
    );
    const phones = new Set(results.filter((phone) => phone !== undefined));
    expect([...phones].filter((phone) => normalizePhone(phone) !== phone || phone.length > 16)).toEqual([]);
  },
);

test("one prefix is dropped, and a second one is refused", () => {
  expect(normalizePhone("+44 (0)7400 123456")).toBe("+447400123456");
  expect(normalizePhone("+44 00 7400 123456")).toBeUndefined();
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
  ["of a valid length, after more invisible characters than anybody copies", `${"\u202a".repeat(250)}+12125550123`],
  ["longer than E.164 allows, although its country's plan has such", `+49${"1".repeat(15)}`],
  ["of a mobile behind two prefixes", "+55 00 15 11 98765 4321"],
  ["too short", "+1212555"],
  ["of no country", "+99912345678"],
  ["of nothing but a plus", "+"],
  ["empty", ""],
])("a phone %s is refused", (_what, text) => {
  expect(normalizePhone(text)).toBeUndefined();
});

test("an email is trimmed and lower-cased", () => {
  expect(normalizeEmail(" Some.One+tag@Example.COM\n")).toBe("some.one+tag@example.com");
});

test.each([
  "",
  "a",
  "a@",
  "@b.example",
  "a@b",
  "a b@c.example",
  "a@b.example, c@d.example",
  "<a@b.example>",
  "a@b.example\u0000",
  "a@b..example",
  `${"a".repeat(250)}@b.example`,
])("%j is no email", (text) => {
  expect(normalizeEmail(text)).toBeUndefined();
});

test.each([
  ["+12125550123", "US", "FIXED_LINE_OR_MOBILE"],
  ["+18765551234", "JM", "MOBILE"],
  ["+447400123456", "GB", "MOBILE"],
  ["+442079460018", "GB", "FIXED_LINE"],
  ["+19002345678", "US", "PREMIUM_RATE"],
  ["+77012345678", "KZ", "MOBILE"],
  ["+88213300655", "001", "VOIP"],
  ["+80012345678", "001", "TOLL_FREE"],
  ["+10005550123", "001", "INVALID"],
])("the numbering plans know of %s that its country is %s and its type %s", (phone, country, number_type) => {
  expect(describeNumber(phone)).toEqual({ country, number_type });
});

test.each(getCountries().map((country) => [country, getExampleNumber(country, examples)!.number] as const))(
  "the country of an example of %s is a code that SQL takes",
  (_, phone) => {
    expect(describeNumber(phone).country).toMatch(/^([A-Z]{2}|001)$/);
  },
);
