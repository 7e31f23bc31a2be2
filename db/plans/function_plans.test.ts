import { queueOtp } from "../../testing/queued_otp.ts";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { caseNames } from "../../testing/api_calls/api_cases.ts";
import { callsOf } from "../../testing/api_calls/measured_calls.ts";
import { createPicker } from "../../testing/api_calls/picker.ts";
import { phoneOf, seed } from "../../testing/api_calls/seeded_rows.ts";
import { serverConfig } from "../../config/config.ts";
import { test as baseTest } from "../../testing/fixtures.ts";

/** Tables of a few rows: PostgreSQL rightly reads them without an index. */
const small = [
  "decoy_key",
  "catalog_line",
  "configuration",
  "event_subscription",
  "event_subscription_state",
  "installation",
  "setting_definition",
  "worker_heartbeat",
];
/** As many calls as PostgreSQL needs to prefer a generic plan, and two that use it. */
const calls = 7;

/** Gives every table that grows enough rows for PostgreSQL to prefer an index. */
const test = baseTest.extend("seeded", { scope: "file" }, async ({ database }, { onCleanup }) => {
  const superuser = new pg.Client({ connectionString: database.superuserUrl });
  onCleanup(() => superuser.end());
  await superuser.connect();
  const accounts = 2_000;
  // In the middle of the test it would find that tables into which the calls write have few rows so far.
  await superuser.query(
    `do $$ declare name text; begin
       for name in select c.oid::regclass from pg_class c
         where c.relkind = 'r' and c.relnamespace = any ('{user,platform,private,settings}'::regnamespace[])
       loop execute format('alter table %s set (autovacuum_enabled = off)', name); end loop;
     end $$`,
  );
  await seed(superuser, accounts);
  // As autovacuum does at any moment: PostgreSQL then knows that the small tables are small.
  await superuser.query("analyze settings.configuration, private.setting_definition");
  const { codeKey, pepperFingerprints } = serverConfig(database.env);
  return { accounts, superuser, picker: createPicker(accounts), codeKey, pepperFingerprints };
});

const roleOf = (name: string) => (name === "count_admin_failure" ? "latchkey_graphql" : "latchkey_server");

/** No call has a reason to read more rows of a table than a session list has. */
const mostRows = 100 * calls;

/** Runs the work in a transaction of a role, and returns the tables that it read in whole or in large part. */
async function tablesReadWhole(
  url: string,
  role: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`begin; set local role ${role}`);
    await work(client);
    await client.query("reset role");
    const { rows } = await client.query<{ relname: string }>(
      `select relname from pg_stat_xact_user_tables
       where (seq_scan > 0 or idx_tup_fetch > $2)
         and schemaname in ('user', 'platform', 'private', 'settings') and relname <> all ($1)`,
      [small, mostRows],
    );
    return rows.map(({ relname }) => relname);
  } finally {
    await client.end();
  }
}

test("no api function reads a table from the first to the last row", async ({ seeded, database }) => {
  const found: Record<string, string[]> = {};
  for (const name of caseNames) {
    const { text, args, succeeds, ...measured } = callsOf(name);
    const values = (await measured.calls(seeded, calls)).map((call) => args.map((arg) => call[arg]));
    const whole = await tablesReadWhole(database.superuserUrl, roleOf(name), async (client) => {
      for (const value of values) {
        const { rows } = await client.query<{ answer: unknown }>({ name, text, values: value });
        expect(rows[0]?.answer, name).toSatisfy(succeeds);
      }
    });
    if (whole.length > 0) found[name] = whole;
  }
  expect(found).toEqual({});
});

test("sending a message reads no table from the first to the last row", async ({ seeded, database }) => {
  const { codeKey, picker, superuser } = seeded;
  const phones = Array.from({ length: calls }, () => phoneOf(picker.account()));
  const { rows } = await superuser.query<{ id: string }>(`select (${queueOtp("p")}).id from unnest($1::text[]) p`, [
    phones,
  ]);
  const whole = await tablesReadWhole(database.superuserUrl, "latchkey_worker", async (client) => {
    for (const { id } of rows) {
      const issued = await client.query<{ attempt_id: string | null }>({
        name: "issue",
        text: "select attempt_id from delivery.issue_otp_code($1, $2, '{}')",
        values: [id, codeKey],
      });
      expect(issued.rows[0]?.attempt_id).not.toBeNull();
      await client.query({
        name: "record",
        text: "select delivery.record_attempt($1, 'sent', null, null, null, null, 100, null)",
        values: [issued.rows[0]?.attempt_id],
      });
    }
  });
  expect(whole).toEqual([]);
});

test("sending events reads few of those that wait, be they due or not", async ({ seeded, database }) => {
  const { superuser } = seeded;
  onTestFinished(async () => {
    await superuser.query("delete from settings.event_subscription");
  });
  await superuser.query(
    `insert into settings.event_subscription (id, url, types, secret_name)
     values ('crm', 'https://hooks.example.com', '{session.opened}', 'crm')`,
  );
  await superuser.query(
    "select private.record_event('session.opened', gen_random_uuid()) from generate_series(1, 4000)",
  );
  await superuser.query(
    `update platform.event_delivery set next_at = now() + interval '1 hour'
     where event_id in (select event_id from platform.event_delivery order by event_at desc limit 3970)`,
  );
  await superuser.query("vacuum analyze platform.event_delivery");
  const found: number[] = [];
  const whole = await tablesReadWhole(database.superuserUrl, "latchkey_worker", async (client) => {
    for (let call = 0; call < calls; call++) {
      const next = await client.query<{ event_id: string }>({
        name: "next",
        text: "select event_id from delivery.next_events('crm', delivery.first_due('crm'), '{}', 8)",
      });
      found.push(next.rows.length);
      const ids = next.rows.map(({ event_id: id }) => id);
      await client.query({
        name: "record deliveries",
        text: "select delivery.record_event_deliveries('crm', $1, $2)",
        values: [ids, ids.map((_, at) => (at % 2 === 0 ? null : "HTTP 503"))],
      });
    }
    await client.query("select delivery.queue_events()");
  });
  expect(whole).toEqual([]);
  expect(found.slice(0, 3)).toEqual([8, 8, 8]);
});
