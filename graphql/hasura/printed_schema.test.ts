import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { test } from "../../testing/graphql/graphql_pool.ts";
import { audiences, type Audience } from "../authorization/caller.ts";
import { printedSchema, schemaFile } from "./printed_schema.ts";

const names = Object.keys(audiences) as Audience[];

test.for(names)("the schema of the %s is the one in the repository", async (audience, { pool }) => {
  expect(await printedSchema(pool, audience)).toBe(readFileSync(schemaFile(audience), "utf8"));
});

test.for(names)("the schema of the %s has no field for a secret", async (audience, { pool }) => {
  const fields = (await printedSchema(pool, audience)).match(/^ {2}\w+/gm) ?? [];
  expect(fields.length).toBeGreaterThan(100);
  // The name of a secret in the worker's environment.
  const allowed = /^ {2}((access|refresh)_token_expires_at|secret_name)$/;
  expect(fields.filter((field) => /hash|token|secret|pepper|rotated/.test(field) && !allowed.test(field))).toEqual([]);
});

test("a user's schema has no table or mutation of the admin's", async ({ pool }) => {
  const schema = await printedSchema(pool, "user");
  expect(schema).not.toMatch(/settings_|rate_limit|(insert|update|delete)_\w+\(/);
  expect(schema.slice(schema.indexOf("type mutation_root"))).toMatch(
    /^type mutation_root \{\s+("""[^"]*""")?\s*revoke_other_sessions: \[user_session!\]!\s+("""[^"]*""")?\s*revoke_session\(id: uuid!\): user_session\s+\}/,
  );
});

test.for(names)("a relation by a column that the %s may not read is no field", async (audience, { pool }) => {
  const schema = await printedSchema(pool, audience);
  // platform.otp_transaction.account_id is granted to nobody.
  expect(schema).not.toMatch(/otp_transactions|\baccount: user_account/);
  expect(schema).toMatch(/\bsessions\(/);
});
