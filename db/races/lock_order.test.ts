import { expect } from "vitest";
import { blockedConnections } from "../../testing/postgres/lock_race.ts";
import { test } from "../fixtures/database_fixtures.ts";

// Two calls that lock the same rows in different orders wait for each other, and PostgreSQL ends one of them.
const phone = "+12025550101";
const userId = "00000000-0000-7000-8000-000000000001";

const nineSessions = `insert into "user".session (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at)
  select ('00000000-0000-7000-9000-00000000000' || n)::uuid, '${userId}', 'user', 'user', gen_random_uuid(), now(), gen_random_uuid(), now()
  from generate_series(9, 1, -1) n`;

const nineOtps = `insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at)
  select ('00000000-0000-7000-9000-00000000000' || n)::uuid, '${phone}', 'PHONE', 'LOGIN', true, 'queued', now()
  from generate_series(9, 1, -1) n`;

test.for([
  {
    what: "an account's sessions are revoked in the order of their ids",
    table: `"user".session`,
    key: "id",
    rows: `insert into "user".account (id, phone, phone_verified_at) values ('${userId}', '${phone}', now()); ${nineSessions}`,
    call: `select private.revoke_sessions_of_user('${userId}')`,
  },
  {
    what: "the oldest sessions are revoked in the order of their ids when one more opens",
    table: `"user".session`,
    key: "id",
    rows: `delete from "user".session; ${nineSessions};
      update "user".session set refresh_token_expires_at = now() + interval '1 day';
      update settings.configuration set value = '1' where key = 'SESSIONS_PER_USER'`,
    call: `insert into "user".session (user_id) values ('${userId}')`,
  },
  {
    what: "a phone's login limits are forgotten in the order of their keys",
    table: "platform.rate_limit",
    key: "key",
    rows: `insert into platform.rate_limit (key)
             select 'LOGIN_FAILURES_PER_PHONE_AND_IP:${phone} 192.0.2.' || n from generate_series(9, 1, -1) n`,
    call: `select private.clear_login_failures('${phone}')`,
  },
  {
    what: "an erased phone's limits are locked in the order of their keys",
    table: "platform.rate_limit",
    key: "key",
    rows: `delete from platform.rate_limit; insert into platform.rate_limit (key)
             select 'LOGIN_FAILURES_PER_PHONE_AND_IP:${phone} 192.0.2.' || n from generate_series(9, 1, -1) n`,
    call: `select private.erase_rate_limits('${phone}')`,
  },
  {
    what: "an erased phone's one-time passwords are locked in the order of their ids",
    table: "platform.otp_transaction",
    key: "id",
    rows: nineOtps,
    call: `select private.erase_identifier('PHONE', '${phone}')`,
  },
  {
    what: "one-time passwords of sends that are erased are locked in the order of their ids",
    table: "platform.otp_transaction",
    key: "id",
    rows: nineOtps,
    call: `select private.erase_sends(a) from "user".account a`,
  },
  {
    what: "sends that are erased are locked in the order of their ids",
    table: "platform.send_decision",
    key: "id",
    rows: `delete from platform.otp_transaction;
      insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id)
      select ('00000000-0000-7000-9000-00000000000' || n)::uuid, now(), '+12025', 'US', '192.0.2.1', 'LOGIN', 'allowed', gen_random_uuid()
      from generate_series(9, 1, -1) n;
      insert into private.known_client select a.id, '192.0.2.1', now() from "user".account a`,
    call: `select private.erase_sends(a) from "user".account a`,
  },
  {
    what: "the counters of clients whose sends are erased are locked in the order of their subjects",
    table: "private.send_count",
    key: "subject, period",
    rows: `delete from platform.send_decision;
      insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id)
      select gen_random_uuid(), now(), '+12025', 'US', '192.0.2.' || n, 'LOGIN', 'allowed', gen_random_uuid() from generate_series(9, 1, -1) n;
      select private.count_send(d, 1, 0) from platform.send_decision d;
      delete from private.send_count where subject not like 'client:%'`,
    call: `select private.uncount_client_sends(array(select d from platform.send_decision d order by d.client desc))`,
    count: 18,
  },
  {
    what: "events that a subscription drops are locked in the order of their ids",
    table: "platform.event_delivery",
    key: "event_id",
    rows: `insert into settings.event_subscription (id, url, types, secret_name)
        values ('crm', 'https://hooks.example.com', '{session.opened}', 'crm');
      insert into platform.event_delivery (subscription_id, event_id, event_at, queued_at, next_at)
      select 'crm', ('00000000-0000-7000-9000-00000000000' || n)::uuid, t, t, t
      from generate_series(9, 1, -1) n, lateral (select now() - n * interval '1 minute') i (t)`,
    call: "update settings.event_subscription set enabled = false",
  },
])("$what, not in that of the table", async ({ table, key, rows, call, count = 9 }, { database, connect }) => {
  await database.query(rows);
  const [holder, caller] = [await connect(), await connect()];
  // Forces a plan that locks in the order of the table unless the function locks the rows first.
  await caller.query("set enable_nestloop = off; set enable_mergejoin = off");
  await holder.query("begin");
  await holder.query(`select from ${table} order by ${key} limit 1 for update`);
  const called = caller.query(call);
  called.catch(() => undefined);
  await blockedConnections(database, 1);
  const free = await database.query(`select ${key} from ${table} for update skip locked`);
  expect(free, "those after it").toHaveLength(count - 1);
  await holder.end();
  await called;
});
