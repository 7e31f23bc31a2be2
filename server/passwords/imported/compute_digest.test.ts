import { hashSync as bcryptHash } from "bcryptjs";
import { expect, test } from "vitest";
import { firebaseProject, foreignHashes } from "../../../testing/service/foreign_hashes.ts";
import { computeDigest } from "./compute_digest.ts";
import { parseForeignHash } from "./foreign_hash.ts";

/** Whether the password has this hash, made by the scheme's own library. */
async function matches(hash: string, password: string): Promise<boolean> {
  const { prefix, digest, digestBytes } = parseForeignHash(hash);
  return (await computeDigest({ prefix, digestBytes, password })) === digest;
}

const passwords = ["correct horse", "pässwörd 🔑", "x".repeat(71) + "ü and more than 72 bytes", "e\u0301"];

test.for(foreignHashes)(
  "%s: the right password matches a hash of its own library, a wrong one does not",
  async ([, hashOf]) => {
    for (const password of passwords) {
      const hash = await hashOf(password);
      expect(await matches(hash, password)).toBe(true);
      expect(await matches(hash, `x${password}`)).toBe(false);
    }
  },
);

test("Firebase's published example matches", async () => {
  const digest = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";
  const hash = `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${firebaseProject.signerKey}$42xEC+ixf3L2lw==$${digest}`;
  expect(await matches(hash, "user1password")).toBe(true);
  const urlSafe = hash.replace(/[^$]*$/, (text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  expect(await matches(urlSafe, "user1password"), "in the alphabet of the Admin SDK, too").toBe(true);
});

test("bcrypt reads 72 bytes, as every library does", async () => {
  const hash = bcryptHash("y".repeat(72), 4);
  expect(await matches(hash, `${"y".repeat(72)}z`)).toBe(true);
  expect(await matches(hash, "y".repeat(71))).toBe(false);
});

test("a password is hashed as typed: another normal form is another password, as in the other system", async () => {
  expect(await matches(bcryptHash("e\u0301", 4), "\u00e9")).toBe(false);
});

test("PBKDF2's published example matches", async () => {
  const hash = "$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44";
  expect(await matches(hash, "password")).toBe(true);
  expect(await matches(hash, "passwort")).toBe(false);
});
