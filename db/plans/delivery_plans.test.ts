import { getCountries, getCountryCallingCode } from "libphonenumber-js/max";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";

/**
 * Tables large enough for PostgreSQL to prefer an index: of 30,000 one-time passwords one in thirty is of the last day.
 */
const test = baseTest.extend("seeded", { scope: "file" }, async ({ database }) => {
  await database.query(`
    set session_replication_role = replica;
    insert into "user".account (id, phone, phone_verified_at)
      select gen_random_uuid(), '+1212' || 1000000 + n, now() from generate_series(1, 15000) n;
    insert into "user".factor (id, user_id, kind, confirmed_at, sealed_secret, pepper_id)
      select gen_random_uuid(), id, 'totp', now(), '\\x00', 'a pepper' from "user".account;
    create temp table seed as select gen_random_uuid() as id, '+1212' || 1000000 + n % 15000 as phone, now() - interval '30 days' * (n / 30000.0) as at
      from generate_series(1, 30000) n;
    insert into platform.otp_transaction
      (id, identifier, identifier_type, purpose, awaited, delivery, attempts, created_at, expires_at, current_since)
      select id, phone, 'PHONE', 'PASSWORD_RESET', false, 'dropped', 1, at, at, at from seed;
    insert into platform.delivery_attempt (id, otp_id, provider, channel, outcome, started_at, duration_ms)
      select gen_random_uuid(), id, 'twilio', 'sms', 'sent', at, 100 from seed;
    insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id)
      select gen_random_uuid(), at, '+1212', 'US', '203.0.113.1', 'PASSWORD_RESET', 'allowed', id from seed;
    insert into platform.rate_limit (key, hits, totals)
      select k || phone || ' LOGIN ' || k, array_fill(now(), array[5]), '{0,1,2,3,4,5}'
      from (select distinct phone from seed) s, unnest(array['OTP_SEND_PER_IDENTIFIER:', 'OTP_VERIFY_LIMIT:']) k;
    insert into private.guess_count select distinct 'PHONE', phone, 'PASSWORD_RESET', 5, now() from seed;
    insert into private.verification_state (identifier_type, identifier, failures, failed_at) select distinct 'PHONE', phone, 100, now() from seed;
    insert into platform.event (id, type, at, actor, data, lane, position, hash)
      select private.new_id(), 'otp.refused', at, 'guest', jsonb_build_object('purpose', 'LOGIN', 'request_id', id), 1, 1, '' from seed;
    drop table seed;
    set session_replication_role = origin`);
  await database.query("vacuum analyze");
  return database;
});

/** Returns the tables of codes and accounts that a statement of the admin reads in whole, also inside functions. */
async function wholeTables(superuserUrl: string, statement: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: superuserUrl });
  onTestFinished(() => client.end());
  await client.connect();
  await client.query("begin; set local role latchkey_admin");
  const { rowCount } = await client.query(statement);
  expect(rowCount).toBeGreaterThan(0);
  await client.query("reset role");
  const { rows } = await client.query<{ name: string }>(
    `select relid::regclass::text as name from pg_stat_xact_user_tables
     where seq_scan > 0 and schemaname in ('user', 'platform', 'private') and relname not in ('setting_definition', 'installation') order by 1`,
  );
  return rows.map(({ name }) => name);
}

test("a phone's story is read by indexes", async ({ seeded: { superuserUrl } }) => {
  const read = (since: string) =>
    wholeTables(superuserUrl, `select * from platform.explain_delivery('+12121000007', ${since})`);
  expect(await read("null")).toEqual([]);
  expect(await read("now() - interval '1 day' * 29")).toEqual([]);
  // Proves that wholeTables would report a table that is read in whole.
  expect(await wholeTables(superuserUrl, "select provider, receipt_error from platform.delivery_attempt")).toEqual([
    "platform.delivery_attempt",
  ]);
});

test("what refused a request is found by an index, in which other events have no entry", async ({
  seeded: { superuserUrl },
}) => {
  const one = "(select min(data ->> 'request_id') from platform.event)";
  const refused = `select * from platform.explain_refusal('%s')`;
  const client = new pg.Client({ connectionString: superuserUrl });
  onTestFinished(() => client.end());
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`select ${one} as id`);
  expect(await wholeTables(superuserUrl, refused.replace("%s", rows[0]!.id))).toEqual([]);
  expect(await wholeTables(superuserUrl, refused.replace("%s", "unknown"))).toEqual([]);
  const entries = async () =>
    (
      await client.query<{ bytes: string }>(
        `select sum(pg_relation_size(i.indexrelid)) as bytes from pg_index i
         where i.indrelid in (select inhrelid from pg_inherits where inhparent = 'platform.event'::regclass) and pg_get_indexdef(i.indexrelid) like '%request_id%'`,
      )
    ).rows[0]?.bytes;
  const before = await entries();
  await client.query("select private.record_event('account.verified', null) from generate_series(1, 2000)");
  expect(await entries()).toBe(before);
});

test("the last day of platform.delivery_by_hour is read by indexes, as SQL and as GraphQL write it", async ({
  seeded: { superuserUrl },
}) => {
  for (const statement of [
    "select * from platform.delivery_by_hour where hour >= now() - interval '1 day' order by hour",
    "select hour, sent from platform.delivery_by_hour v where v.hour >= '2020-01-01'::timestamptz + (now() - '2020-01-02') limit 100",
    "select provider, sum(sent) from platform.delivery_by_hour where hour >= now() - interval '1 day' group by provider",
  ])
    expect(await wholeTables(superuserUrl, statement), statement).toEqual([]);
});

test("platform.delivery_by_hour has each calling code of libphonenumber", async ({ seeded: database }) => {
  const codes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))].map(String);
  expect(codes.length).toBeGreaterThan(200);
  const [definition] = await database.query<{ pattern: string }>(
    `select substring(pg_get_viewdef('platform.delivery_by_hour'::regclass) from '''(\\^[^'']+)''') as pattern`,
  );
  const found = await database.query<{ code: string; found: string | null }>(
    `select code, substring('+' || code || digits from $2) as found
     from unnest($1::text[]) code, unnest(array['0123456789', '9876543210', '5555555555']) digits
     where substring('+' || code || digits from $2) is distinct from code`,
    [codes, definition?.pattern],
  );
  expect(found).toEqual([]);
});
