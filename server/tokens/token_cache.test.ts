import { afterEach, expect, test, vi } from "vitest";
import type { Verified } from "./claims.ts";
import { knowTokens } from "./token_cache.ts";

afterEach(() => {
  vi.useRealTimers();
});

const sid = "00000000-0000-4000-8000-000000000001";

/** Says yes to tokens that begin with "good", once; asks again would say no. */
function onlyOnce() {
  const asked: string[] = [];
  const exp = Math.floor(Date.now() / 1000) + 60;
  const verify = (token: string): Verified => {
    asked.push(token);
    const first = asked.filter((one) => one === token).length === 1;
    return first && token.startsWith("good")
      ? { claims: { sid, jti: sid, token_use: "access", exp } }
      : { fault: "token_invalid" };
  };
  return { asked, ...knowTokens(verify) };
}

test("a token that was verified is not verified again, and no other passes for it", () => {
  const { asked, verify } = onlyOnce();
  expect(verify("good")).toHaveProperty("claims.sid", sid);
  expect(verify("good")).toHaveProperty("claims.sid", sid);
  expect(asked).toEqual(["good"]);
  for (const other of ["goo", "Good", "bad", ""]) expect(verify(other)).toEqual({ fault: "token_invalid" });
});

test("what is remembered ends with the token", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { verify } = onlyOnce();
  verify("good");
  vi.setSystemTime(Date.now() + 59_000);
  expect(verify("good")).toHaveProperty("claims");
  vi.setSystemTime(Date.now() + 2_000);
  expect(verify("good")).toEqual({ fault: "token_invalid" });
});

test("a refusal is not remembered", () => {
  const { asked, verify } = onlyOnce();
  verify("bad");
  verify("bad");
  expect(asked).toEqual(["bad", "bad"]);
});

test("a token that was signed here is not verified, until its end", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { asked, learn, verify } = onlyOnce();
  const claims = { sid, jti: sid, token_use: "refresh" as const, exp: Math.floor(Date.now() / 1000) + 60 };
  learn("signed", claims);
  expect(verify("signed")).toEqual({ claims });
  expect(asked).toEqual([]);
  vi.setSystemTime(Date.now() + 61_000);
  expect(verify("signed")).toEqual({ fault: "token_invalid" });
});

test("tokens that are signed and never used push out none that is in use", () => {
  const { asked, learn, verify } = onlyOnce();
  const claims = { sid, jti: sid, token_use: "access" as const, exp: Math.floor(Date.now() / 1000) + 60 };
  learn("signed", claims);
  verify("good");
  verify("signed");
  for (let unused = 0; unused < 6_000; unused++) learn(`unused ${unused}`, claims);
  expect([verify("good"), verify("signed")]).toEqual([{ claims: expect.anything() as unknown }, { claims }]);
  expect(asked).toEqual(["good"]);
});
