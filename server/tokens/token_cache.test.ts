import { afterEach, expect, test, vi } from "vitest";
import type { Verified } from "./claims.ts";
import { cacheTokens } from "./token_cache.ts";

afterEach(() => {
  vi.useRealTimers();
});

const sid = "00000000-0000-4000-8000-000000000001";

/** A verifier that accepts each token beginning with "good" once: a second verification would refuse it. */
function acceptOnce() {
  const verified: string[] = [];
  const exp = Math.floor(Date.now() / 1000) + 60;
  const verify = (token: string): Verified => {
    verified.push(token);
    const isFirst = verified.filter((other) => other === token).length === 1;
    return isFirst && token.startsWith("good")
      ? { claims: { sub: sid, sid, jti: sid, token_use: "access", exp } }
      : { fault: "token_invalid" };
  };
  return { verified, verify: cacheTokens(verify) };
}

test("a token that was verified is not verified again, and no other token is accepted in its place", () => {
  const { verified, verify } = acceptOnce();
  expect(verify("good")).toHaveProperty("claims.sid", sid);
  expect(verify("good")).toHaveProperty("claims.sid", sid);
  expect(verified).toEqual(["good"]);
  for (const other of ["goo", "Good", "bad", ""]) expect(verify(other)).toEqual({ fault: "token_invalid" });
});

test("a cached token is valid until it expires", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { verify } = acceptOnce();
  verify("good");
  vi.setSystemTime(Date.now() + 59_000);
  expect(verify("good")).toHaveProperty("claims");
  vi.setSystemTime(Date.now() + 2_000);
  expect(verify("good")).toEqual({ fault: "token_invalid" });
});

test("a refused token is not cached", () => {
  const { verified, verify } = acceptOnce();
  verify("bad");
  verify("bad");
  expect(verified).toEqual(["bad", "bad"]);
});
