import pg from "pg";
import { expect } from "vitest";
import { caseNames, type SeededDatabase } from "../bench/growth/growth_cases.ts";
import { callsOf } from "../bench/growth/measured_calls.ts";
import { createPicker } from "../bench/growth/picker.ts";
import { seed } from "../bench/growth/rows.ts";
import { serverConfig } from "../config/config.ts";
import { test as baseTest } from "../testing/fixtures.ts";

/** Tables of a few rows, of which PostgreSQL rightly uses no index. */
const small = ["decoy_key", "granted_right", "installation", "setting_definition", "worker_heartbeat"];
/** As many calls as PostgreSQL needs to prefer a generic plan, and two that use it. */
const calls = 7;

/** Every table that grows has rows enough for PostgreSQL to prefer an index. */
const test = baseTest.extend("seeded", { scope: "file" }, async ({ database }, { onCleanup }) => {
  const superuser = new pg.Client({ connectionString: database.superuserUrl });
  onCleanup(() => superuser.end());
  await superuser.connect();
  const accounts = 2_000;
  await seed(superuser, accounts);
  const { codeKey, pepperFingerprint } = serverConfig(database.env);
  return { accounts, superuser, picker: createPicker(accounts), codeKey, pepperFingerprint };
});

/** Runs the calls of a function in one transaction, and returns the tables that they read from the first to the last row. */
async function tablesReadWhole(
  database: SeededDatabase,
  url: string,
  name: (typeof caseNames)[number],
): Promise<string[]> {
  const { text, args, succeeds, ...measured } = callsOf(name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const values = (await measured.calls(database, calls)).map((call) => args.map((arg) => call[arg]));
    await client.query("begin; set local role latchkey_server");
    for (const value of values) {
      const { rows } = await client.query<{ answer: unknown }>({ name, text, values: value });
      expect(rows[0]?.answer, name).toSatisfy(succeeds);
    }
    await client.query("reset role");
    const { rows } = await client.query<{ relname: string }>(
      `select relname from pg_stat_xact_user_tables
       where seq_scan > 0 and schemaname in ('user', 'platform', 'private', 'settings') and relname <> all ($1)`,
      [small],
    );
    return rows.map(({ relname }) => relname);
  } finally {
    await client.end();
  }
}

test("no api function reads a table from the first to the last row", async ({ seeded, database }) => {
  const found: Record<string, string[]> = {};
  for (const name of caseNames) {
    const whole = await tablesReadWhole(seeded, database.superuserUrl, name);
    if (whole.length > 0) found[name] = whole;
  }
  expect(found).toEqual({});
});
