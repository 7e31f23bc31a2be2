import jwt from "jsonwebtoken";
import { expect, test } from "vitest";
import { createSession, elsewhere, settings, tokens } from "./fixtures/token_fixtures.ts";
import { hasuraVariables } from "./hook_claims.ts";
import { createTokens } from "./tokens.ts";

test("claims are variables: strings as they are, arrays as PostgreSQL writes them, everything else as JSON", () => {
  expect(
    hasuraVariables({
      plan: "pro",
      org_id: 7,
      isTrial: false,
      Tags: ["a", 'b"c', 1],
      nested: [{ a: 1 }],
      limits: { a: 1 },
    }),
  ).toEqual({
    "x-hasura-plan": "pro",
    "x-hasura-org-id": "7",
    "x-hasura-istrial": "false",
    "x-hasura-tags": '{"a","b\\"c","1"}',
    "x-hasura-nested": '[{"a":1}]',
    "x-hasura-limits": '{"a":1}',
  });
});

test("a claim that is null or has a name that no header may have is no variable", () => {
  expect(hasuraVariables({ none: null, "https://example.org/plan": "pro", "a b": 1, "a\r\nb": 1, "": 1 })).toEqual({});
});

test("the longest claims that a hook may return make a token that is accepted", () => {
  const claims = Object.fromEntries(Array.from({ length: 240 }, (_, index) => [String(index).padStart(3, "a"), 1]));
  for (const each of [claims, { text: "x".repeat(2_000) }, { quotes: '"'.repeat(1_000) }]) {
    expect(JSON.stringify(each).length).toBeGreaterThan(1_900);
    const { access_token } = tokens.sign(createSession({ claims: each }));
    expect(elsewhere.verify(access_token, "access")).toHaveProperty("claims");
  }
});

test("claims of a hook replace none of ours, should one get past its checks", () => {
  const session = createSession({
    claims: { sub: "x", iss: "x", role: undefined, "https://hasura.io/jwt/claims": {} },
  });
  expect(() => tokens.sign(session)).toThrow(/^hook\.claims failed: it must not return the claim role/);
  const { access_token } = createTokens({ ...settings, databaseRole: { claim: "db_role", values: {} } }).sign(
    createSession({
      claims: {
        sub: "x",
        sid: "x",
        exp: 0,
        iss: "x",
        token_use: "refresh",
        client_id: "x",
        "https://hasura.io/jwt/claims": {},
      },
    }),
  );
  const verified = jwt.decode(access_token) as Record<string, unknown>;
  expect(verified).toMatchObject({ iss: "latchkey", token_use: "access", client_id: "latchkey" });
  expect(verified.sub).not.toBe("x");
});
