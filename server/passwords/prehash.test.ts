import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";
import { describeNewPassword, prehash } from "./prehash.ts";

const keyOf = (byte: number) => ({ pepperId: `id${byte}`, key: Buffer.alloc(32, byte) });
const key = [keyOf(1)];

test("a password's pre-hash depends on all of it and on the key", () => {
  const long = "x".repeat(300);
  const hashes = [
    prehash(key, long),
    prehash(key, `${long}y`),
    prehash(key, long.toUpperCase()),
    prehash([keyOf(2)], long),
  ];
  expect(new Set(hashes).size).toBe(4);
  for (const hash of hashes) expect(hash).toMatch(/^id[12]:[A-Za-z0-9+/]{43}=$/);
  expect(prehash(key, long)).toBe(hashes[0]);
});

test("a pre-hash never changes: stored passwords depend on it", () => {
  expect(prehash(key, "correct horse")).toBe("id1:xaIIob2JLhSVDqQAcOEYjf/SHJ4h0mfKS/Ir4wuK2+I=");
});

test("a password has a pre-hash under each pepper, the current one first", () => {
  expect(prehash([keyOf(2), keyOf(1)], "x")).toBe([prehash([keyOf(2)], "x"), prehash([keyOf(1)], "x")].join(","));
});

test("a password typed on another system, in another normal form, is the same one", () => {
  const [composed, decomposed] = ["caf\u00e9 au lait", "cafe\u0301 au lait"];
  expect(prehash(key, composed)).toBe(prehash(key, decomposed));
  expect(describeNewPassword(key, decomposed)).toEqual(describeNewPassword(key, composed));
});

test("length counts characters, not bytes or UTF-16 units", () => {
  expect(describeNewPassword(key, "🔑".repeat(8)).password_length).toBe(8);
  expect(describeNewPassword(key, "e\u0301".repeat(8)).password_length).toBe(8);
  expect(describeNewPassword(key, "").password_length).toBe(0);
});

test.each(["password", "PASSWORD", "Password1", "qwertyuiop", "iloveyou"])("%s is common", (common) => {
  expect(describeNewPassword(key, common).password_is_common).toBe(true);
});

test.each([
  ["in full-width letters", "ｐａｓｓｗｏｒｄ１"],
  ["in mathematical letters", "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝𝟏"],
  ["in full-width capitals", "ＰＡＳＳＷＯＲＤ１"],
  ["between blanks", "  Password1\t"],
  ["between ideographic and no-break spaces", "\u3000password1\u00a0"],
])("a common password written %s is common, and another password", (_how, written) => {
  expect(describeNewPassword(key, written).password_is_common).toBe(true);
  expect(prehash(key, written)).not.toBe(prehash(key, "password1"));
});

test("the comparison finds every password of the list", () => {
  const missed = dictionary["passwords-common"].filter(
    (common) => !describeNewPassword(key, common).password_is_common,
  );
  expect(missed).toEqual([]);
});

test("an uncommon password is not", () => {
  expect(describeNewPassword(key, "correct horse battery").password_is_common).toBe(false);
});
