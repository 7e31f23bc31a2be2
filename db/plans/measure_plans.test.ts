import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { test } from "../fixtures/database_fixtures.ts";

const seedSql = `
  set session_replication_role = replica;
  insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id)
    select gen_random_uuid(), now() - interval '1 second' * n, '+1212', 'US', '203.0.113.1', 'LOGIN', 'allowed', gen_random_uuid()
    from generate_series(1, 60000) n;
  insert into platform.delivery_attempt (id, otp_id, provider, channel, outcome, started_at)
    select gen_random_uuid(), d.otp_id, 'twilio', 'sms', 'sent', d.at from platform.send_decision d;
  select graphile_worker.add_job('send_otp', run_at => now() + interval '1 second' * (n - 15000), job_key => n::text, job_key_mode => 'unsafe_dedupe')
    from generate_series(1, 30000) n;
  set session_replication_role = origin`;

test("what a server asks at a scrape reads no table in whole, and is bounded in a busy hour", async ({ database }) => {
  await database.query(seedSql);
  await database.query("vacuum analyze");
  const client = new pg.Client({ connectionString: database.superuserUrl });
  onTestFinished(() => client.end());
  await client.connect();
  await client.query("begin");
  const { rows: measured } = await client.query<{ jobs_due: number; jobs_later: number; sends: unknown }>(
    "select jobs_due, jobs_later, sends::text from api.measure()",
  );
  // Of 15,000 jobs each, and of 900 sends in the quarter of an hour.
  expect(measured).toEqual([{ jobs_due: 10_000, jobs_later: 10_000, sends: '{"(US,twilio,900,0)"}' }]);
  const { rows } = await client.query<{ name: string }>(
    `select relid::regclass::text as name from pg_stat_xact_user_tables
     where seq_scan > 0 and relname <> 'worker_heartbeat' order by 1`,
  );
  expect(rows).toEqual([]);
});
