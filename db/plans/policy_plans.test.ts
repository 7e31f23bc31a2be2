import type pg from "pg";
import { expect } from "vitest";
import { test } from "../fixtures/database_fixtures.ts";

// A policy that is checked row by row reads the whole table: any signed-in user could then slow all others.
const userId = "00000000-0000-7000-8000-000000000001";
const sessionId = "00000000-0000-7000-9000-000000000001";

test.beforeAll(async ({ database }) => {
  await database.query(`
    set session_replication_role = replica;
    insert into "user".account (id, external_id, phone, email, phone_verified_at, email_verified_at)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'sms|' || n, '+1212' || 1000000 + n, n || '@example.org', now() - interval '1 day',
        case when n % 2 = 0 then now() - interval '1 day' end
      from generate_series(1, 50000) n;
    insert into "user".session (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at)
      select ('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid,
        ('00000000-0000-7000-8000-' || lpad((n % 50000 + 1)::text, 12, '0'))::uuid, 'user', 'user',
        gen_random_uuid(), now() + interval '1 hour', gen_random_uuid(), now() + interval '30 days'
      from generate_series(1, 200000) n;
    insert into "user".factor (id, user_id, kind, sealed_secret, pepper_id)
      select gen_random_uuid(), a.id, 'totp', '\\x00', 'a pepper' from "user".account a;
    insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at)
      select gen_random_uuid(), '+1212' || 1000000 + n % 50000 + 1, 'PHONE', 'LOGIN', true, 'sent', now()
      from generate_series(1, 200000) n;
    insert into platform.event (id, type, at, user_id, actor, data, lane, position, hash)
      select private.new_id(), 'session.opened', now(), ('00000000-0000-7000-8000-' || lpad((n % 50000 + 1)::text, 12, '0'))::uuid, 'user', '{}', 1, n, '\\x00'
      from generate_series(1, 100000) n;
    set session_replication_role = origin;
    analyze`);
  // The months to come are empty, and a table without a page is read in whole.
  await database.query(`do $$ declare p regclass; begin
    for p in select i.inhrelid::regclass from pg_inherits i
      where i.inhparent = 'platform.event'::regclass and pg_relation_size(i.inhrelid) = 0 loop execute 'drop table ' || p; end loop; end $$`);
});

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: Plan[];
}

/** A scan without a condition on its index reads all rows; the policy is then a filter. */
const isWholeScan = (plan: Plan): boolean =>
  // A bitmap's condition is that of its index scans, which are nodes of their own.
  plan["Node Type"].endsWith(" Scan") &&
  ("Relation Name" in plan || "Index Name" in plan) &&
  plan["Node Type"] !== "Bitmap Heap Scan" &&
  plan["Index Cond"] === undefined;

/** Returns the tables and indexes that a statement of a role reads in whole. */
async function wholeTables(client: pg.Client, role: string, statement: string): Promise<string[]> {
  await client.query("begin");
  const claims = { sub: role === "latchkey_user" ? userId : sessionId, sid: sessionId, user_type: role.slice(9) };
  await client.query("select private.seal_identity($1)", [claims]);
  await client.query(`set local role ${role}`);
  const { rows } = await client.query<{ "QUERY PLAN": { Plan: Plan }[] }>(`explain (format json) ${statement}`);
  await client.query("rollback");
  const read = (plan: Plan): string[] => [
    ...(isWholeScan(plan) ? [plan["Relation Name"] ?? plan["Index Name"] ?? ""] : []),
    ...(plan.Plans ?? []).flatMap(read),
  ];
  return rows.flatMap((row) => row["QUERY PLAN"].flatMap(({ Plan }) => read(Plan)));
}

test.for(["latchkey_guest", "latchkey_user"])(
  "%s reads no exposed table in whole, whatever column it filters or orders by",
  async (role, { database, connection }) => {
    const columns = await database.query<{ table: string; column: string; type: string }>(
      `select a.attrelid::regclass::text as table, quote_ident(a.attname) as column, a.atttypid::regtype::text as type
       from pg_attribute a
       where has_column_privilege($1, a.attrelid, a.attnum, 'select') and a.attnum > 0 and not a.attisdropped
         and a.attrelid in (select c.oid from pg_class c where c.relnamespace::regnamespace::text in ('"user"', 'platform', 'settings'))
       order by 1, a.attnum`,
      [role],
    );
    expect(columns.length).toBeGreaterThan(15);
    const read: Record<string, string[]> = {};
    for (const { table, column, type } of columns) {
      const statements = [
        `select ${column} from ${table} limit 100`,
        `select ${column} from ${table} where ${column} is not null order by ${column} limit 100`,
        `select ${column} from ${table} where ${column} > (select null::${type === "uuid" ? "uuid" : type}) limit 100`,
        `select count(*) from ${table} where ${column} is null`,
      ];
      for (const statement of statements) read[statement] = await wholeTables(connection, role, statement);
    }
    expect(Object.fromEntries(Object.entries(read).filter(([, tables]) => tables.length > 0))).toEqual({});
  },
);
