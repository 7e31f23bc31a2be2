import { expect } from "vitest";
import { isolatedTest as test } from "./fixtures/database_fixtures.ts";
import { migrate } from "./migrate.ts";

const refusal = (message: RegExp) => ({
  name: "OperatorError",
  message: expect.stringMatching(message) as string,
});

test("a database that was restored before its roles were made is refused: its tables belong to another role", async ({
  database,
  config,
}) => {
  await database.query("alter table migration.fingerprint owner to current_user");
  await expect(migrate(config)).rejects.toMatchObject(
    refusal(
      /^Latchkey's tables belong to \w+ and not to latchkey_owner\. .*restore again into an empty database/,
    ),
  );
});

test("a database that lacks a right of a role is refused, and names it", async ({ database, config }) => {
  await database.query(
    `revoke select (phone) on "user".account from latchkey_user; drop policy "a user sees its own account" on "user".account`,
  );
  await expect(migrate(config)).rejects.toMatchObject(
    refusal(
      /^Rights of Latchkey's roles are missing: "user".account \(phone\): latchkey_user may select; "user".account: policy "a user sees its own account" for latchkey_user\. A restore/,
    ),
  );
});

test("a right that was revoked on purpose and deleted from the list stays revoked", async ({
  database,
  config,
}) => {
  const rights = `select from information_schema.column_privileges where grantee = 'latchkey_user' and column_name = 'phone'`;
  await database.query('revoke select (phone) on "user".account from latchkey_user');
  await database.query(
    "delete from private.granted_right where line like '%(phone): latchkey_user may select'",
  );
  await migrate(config);
  expect(await database.query(rights)).toEqual([]);
});
