import { expect, test } from "vitest";
import { prehash } from "../prehash.ts";
import { parseForeignHash } from "./foreign_hash.ts";
import { prehashUnder, toStored } from "./stored_parameters.ts";

const keyOf = (byte: number) => ({ pepperId: `id${byte}`, key: Buffer.alloc(32, byte) });
const [key, otherKey] = [keyOf(1), keyOf(2)];
const digest = `${"A".repeat(86)}==`;
const signerKey = `${"B".repeat(85)}A==`;
const firebase = `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${signerKey}$c2FsdHNhbHQ=$${digest}`;
const bcrypt = `$2b$10$${"a".repeat(22)}${"b".repeat(30)}y`;

test("what is stored holds scheme, costs and salt, but neither the digest nor Firebase's signer key", () => {
  const stored = toStored(key, parseForeignHash(firebase));
  expect(stored.foreign_parameters).toMatch(/^\$fbscrypt\$v=1,n=14,r=8,p=1,ss=Bw==,sk=[^$]{100,}\$c2FsdHNhbHQ=\$64$/);
  for (const text of Object.values(stored))
    for (const secret of ["A".repeat(20), "B".repeat(20)]) expect(text).not.toContain(secret);
  expect(toStored(key, parseForeignHash(bcrypt)).foreign_parameters).toBe(`$2b$10$${"a".repeat(22)}$23`);
});

test("the pre-hash of the same digest under the stored parameters is the stored one, under another key it is not", async () => {
  for (const hash of [firebase, bcrypt].map(parseForeignHash)) {
    const stored = toStored(key, hash);
    const tasks: object[] = [];
    const compute = (task: object) => {
      tasks.push(task);
      return Promise.resolve(hash.digest);
    };
    expect(await prehashUnder([key], stored.foreign_parameters, "typed", compute)).toBe(stored.foreign_prehash);
    expect(tasks).toEqual([{ prefix: hash.prefix, digestBytes: hash.digestBytes, password: "typed" }]);
    const other = () => Promise.resolve("another");
    expect(await prehashUnder([key], stored.foreign_parameters, "typed", other)).not.toBe(stored.foreign_prehash);
  }
  const stored = toStored(key, parseForeignHash(bcrypt));
  const sameDigest = () => Promise.resolve(parseForeignHash(bcrypt).digest);
  expect(await prehashUnder([otherKey], stored.foreign_parameters, "typed", sameDigest)).not.toBe(
    stored.foreign_prehash,
  );
});

test("a stored pre-hash never changes: imported passwords depend on it", () => {
  expect(toStored(key, parseForeignHash(bcrypt)).foreign_prehash).toBe(
    prehash([key], `$2b$10$${"a".repeat(22)}$${"b".repeat(30)}y`),
  );
});

test("while the pepper is rotated, a hash that was stored under either pepper is compared with its own pre-hash", async () => {
  for (const hash of [firebase, bcrypt].map(parseForeignHash)) {
    const stored = toStored(otherKey, hash);
    const prehashes = await prehashUnder([key, otherKey], stored.foreign_parameters, "typed", ({ prefix }) => {
      expect(prefix).toBe(hash.prefix);
      return Promise.resolve(hash.digest);
    });
    expect(prehashes.split(",")).toEqual([expect.stringMatching(/^id1:/), stored.foreign_prehash]);
  }
});

test("a signer key of a pepper that was dropped costs the same work, and the password is wrong", async () => {
  const stored = toStored(otherKey, parseForeignHash(firebase));
  const tasks: object[] = [];
  const prehashes = await prehashUnder([key], stored.foreign_parameters, "typed", (task) => {
    tasks.push(task);
    return Promise.resolve("digest under another signer key");
  });
  expect(tasks).toHaveLength(1);
  expect(prehashes).not.toContain(stored.foreign_prehash);
});
