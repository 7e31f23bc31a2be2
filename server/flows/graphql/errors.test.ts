import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, tokensOf } from "../../../testing/client.ts";
import { askGraphql, type Ask } from "../../../testing/graphql_client.ts";
import { startService, type Service } from "../../../testing/service.ts";
import { isPassing } from "../../graphql/engine/refusal.ts";

// What goes wrong is told in a code and no word of the database.
let service: Service;
let ask: Ask;
beforeAll(async () => {
  service = await startService({ worker: false });
  ask = askGraphql(
    service.url,
    bearer(tokensOf(await service.client.post("/auth/session/guest")).access_token),
  );
});
afterAll(() => service.stop());

test.each<[string, string, Record<string, unknown>]>([
  ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "no variable", {}],
  ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "text", { id: "abc" }],
  ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "a number", { id: 7 }],
  ["query ($id: uuid!) { user_session_by_pk(id: $id) { id } }", "an object", { id: {} }],
  [
    "query ($t: timestamptz) { user_session(where: { created_at: { _gt: $t } }) { id } }",
    "no time",
    { t: "soon" },
  ],
  [
    "query ($t: timestamptz) { user_session(where: { created_at: { _gt: $t } }) { id } }",
    "no such time",
    { t: "2026-13-45" },
  ],
  [
    "query ($n: Int) { platform_otp_transaction(where: { attempts: { _gt: $n } }) { id } }",
    "a fraction",
    { n: 1.5 },
  ],
  [
    "query ($n: Int) { platform_otp_transaction(where: { attempts: { _gt: $n } }) { id } }",
    "too large",
    { n: 2 ** 40 },
  ],
  [
    "query ($s: String) { user_account(where: { phone: { _eq: $s } }) { id } }",
    "a zero byte",
    { s: "a\u0000b" },
  ],
  ['{ user_session(where: { id: { _like: "a" } }) { id } }', "an operator of another type", {}],
  ["{ nothing }", "an unknown field", {}],
  ["{ user_session", "a syntax error", {}],
  ["", "an empty document", {}],
  ["query a { __typename } query b { __typename }", "two operations and no name", {}],
  ["subscription { x }", "a subscription", {}],
])("%s with %s", async (query, _name, variables) => {
  const answered = await ask(query, variables);
  expect(answered).toMatchObject({ status: 200, code: "validation-failed" });
  expect(answered.message).not.toMatch(/relation|syntax for type|invalid byte|select |pg_|latchkey_/i);
});

test("a fault of ours is unexpected, and nothing more", async () => {
  await service.database.query('alter table "user".account rename column email to electronic_mail');
  const answered = await ask("{ user_account { email } }");
  await service.database.query('alter table "user".account rename column electronic_mail to email');
  expect(answered).toMatchObject({ code: "unexpected", message: "Something went wrong on our side." });
});

test("a right that was taken away is a permission error", async () => {
  await service.database.query('revoke select (email) on "user".account from latchkey_guest');
  const answered = await ask("{ user_account { email } }");
  await service.database.query('grant select (email) on "user".account to latchkey_guest');
  expect(answered).toMatchObject({ code: "permission-error", message: "This role must not do that." });
});

test("a transaction that PostgreSQL ended because this server was too busy to go on may be tried again", () => {
  const ended = Object.assign(new pg.DatabaseError("idle-in-transaction timeout", 0, "error"), {
    code: "25P03",
  });
  expect(isPassing(ended)).toBe(true);
});
