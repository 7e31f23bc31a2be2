import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type pg from "pg";
import { serverConfig } from "../../../config/config.ts";
import { createLog } from "../../../runtime/log.ts";
import { openPool } from "../../../runtime/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../../testing/test_database.ts";
import { audiences, type Audience } from "../../authorization/caller.ts";
import { printedSchema, schemaFile } from "./printed_schema.ts";

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  const { GRAPHQL_DATABASE_URL } = serverConfig(database.env);
  pool = openPool(
    { connectionString: GRAPHQL_DATABASE_URL, application_name: "schemas test" },
    createLog("test", "silent"),
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const names = Object.keys(audiences) as Audience[];

test.each(names)("the schema of the %s is the one in the repository", async (audience) => {
  expect(await printedSchema(pool, audience)).toBe(readFileSync(schemaFile(audience), "utf8"));
});

test.each(names)("the schema of the %s has no field for a secret", async (audience) => {
  const fields = (await printedSchema(pool, audience)).match(/^ {2}\w+/gm) ?? [];
  expect(fields.length).toBeGreaterThan(100);
  const allowed = /^ {2}(access|refresh)_token_expires_at$/;
  expect(
    fields.filter((field) => /hash|token|secret|pepper|rotated/.test(field) && !allowed.test(field)),
  ).toEqual([]);
});

test("a user's schema has no table or mutation of the admin's", async () => {
  const schema = await printedSchema(pool, "user");
  expect(schema).not.toMatch(/settings_|rate_limit|(insert|update|delete)_\w+\(/);
  expect(schema.slice(schema.indexOf("type mutation_root"))).toMatch(
    /^type mutation_root \{\s+("""[^"]*""")?\s*revoke_other_sessions: \[user_session!\]!\s+("""[^"]*""")?\s*revoke_session\(id: uuid!\): user_session\s+\}/,
  );
});
