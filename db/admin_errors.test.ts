import { expect } from "vitest";
import { test } from "./fixtures/database_fixtures.ts";

// PostgreSQL logs the detail of an error. Its own details of a constraint hold the key or the whole row: phone and
// email.
const taken = "+12025550101";
const email = "ada@example.com is no address";

test.for([
  ["create_account of a phone that is taken", `select "user".create_account('${taken}', null)`, "23505"],
  ["create_account of a malformed phone", `select "user".create_account('${taken} 7', null)`, "23514"],
  ["create_account with a malformed email", `select "user".create_account('+12025550103', '${email}')`, "23514"],
  ["giving a phone that is taken", `update "user".account set phone = '${taken}' where phone is null`, "23505"],
  ["giving a malformed phone", `update "user".account set phone = '${taken} 7' where phone is null`, "23514"],
  ["changing an email to a malformed one", `update "user".account set email = '${email}'`, "23514"],
] as const)("the error of %s holds neither phone nor email", async ([, statement, code], { database, connect }) => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '${taken}', now()), (private.new_id(), null, now())
     on conflict do nothing`,
  );
  const client = await connect();
  await client.query("set role latchkey_admin");
  const error: unknown = await client.query(statement).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code });
  const { message, detail } = error as { message: string; detail?: string };
  expect(detail).toBeUndefined();
  expect(message).not.toMatch(/\+1|ada@/);
});
