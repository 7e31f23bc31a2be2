import type Crypto from "node:crypto";
import { expect, test, vi } from "vitest";

const compared = vi.hoisted(() => ({ lengths: [] as number[] }));
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof Crypto>();
  const timingSafeEqual = (a: Buffer, b: Buffer): boolean => {
    compared.lengths.push(a.length, b.length);
    return crypto.timingSafeEqual(a, b);
  };
  return { ...crypto, timingSafeEqual };
});
const { createSecretSearch } = await import("./same_secret.ts");

const holders = ["one", "a longer one", "three"].map((secret, index) => ({ secret, index }));
const find = createSecretSearch(holders);

test("each secret finds its holder, and a part of one finds nobody", () => {
  expect(holders.map(({ secret }) => find(secret)?.index)).toEqual([0, 1, 2]);
  expect(["", "on", "one ", "ONE"].map(find)).toEqual([undefined, undefined, undefined, undefined]);
});

test.each(["one", "three", "none", "", "a long one of nobody, longer than any"])(
  "%j is compared with all secrets, each as a digest of one length",
  (secret) => {
    compared.lengths.splice(0);
    find(secret);
    expect(compared.lengths).toEqual(Array.from({ length: 6 }, () => 32));
  },
);
