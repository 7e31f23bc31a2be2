import type pg from "pg";
import { expect } from "vitest";
import { pagesReadBy } from "../../testing/browser/pages_read.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { test } from "../fixtures/database_fixtures.ts";

// A thief who knows the password may open 8,640 sessions a day: that must not keep the owner, or an admin, from ending
// them.
const userId = "00000000-0000-7000-8000-000000000001";
const sessionId = (number: number) => `00000000-0000-7000-9000-${String(number).padStart(12, "0")}`;
const sessions = 22_000;
// The epochs first: asking the function about each row takes seconds.
const live = `"user".session s join "user".account a on a.id = s.user_id and a.session_epoch = s.session_epoch where private.session_error(s) is null`;

test.beforeAll(async ({ database }) => {
  await database.query(`
    set session_replication_role = replica;
    insert into "user".account (id, phone, phone_verified_at) values ('${userId}', '+12025550101', now());
    insert into "user".session
      (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at, created_at)
      select ('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, '${userId}', 'user', 'user',
        gen_random_uuid(), now() + interval '1 hour', gen_random_uuid(), now() + interval '30 days',
        now() - interval '1 day' + n * interval '1 ms'
      from generate_series(1, ${sessions}) n;
    set session_replication_role = origin`);
  await database.query(`vacuum analyze "user".session`);
});

/** Rows that a statement writes, those of the functions that it calls included. It is rolled back, after `check`. */
async function rowsWrittenBy(
  client: pg.Client,
  statement: string,
  check: () => Promise<unknown> = () => Promise.resolve(),
): Promise<number> {
  const counted = async () => {
    const { rows } = await client.query<{ rows: number }>(
      `select sum(pg_stat_get_xact_tuples_inserted(c.oid) + pg_stat_get_xact_tuples_updated(c.oid)
         + pg_stat_get_xact_tuples_deleted(c.oid))::integer as rows
       from pg_class c where c.relkind = 'r' and c.relnamespace <> 'pg_catalog'::regnamespace`,
    );
    return rows[0]!.rows;
  };
  await client.query("begin");
  const before = await counted();
  await client.query(statement);
  const written = (await counted()) - before;
  await check();
  await client.query("rollback");
  return written;
}

const answerOf = async (client: pg.Client, number: number) => {
  const { rows } = await client.query<{ code: string }>("select (error).code from api.authorize($1)", [
    sessionId(number),
  ]);
  return rows[0]!.code;
};
const keeping = (number: number) => `'${sessionId(number)}', '${userId}'`;
const admin = "set local role latchkey_admin";
test.for<[name: string, statement: string, survivors: number]>([
  ["a reset", `select private.replace_password('+12025550101', 'new', null)`, 0],
  ["revoke-others", `select api.revoke_other_sessions(${keeping(7)})`, 1],
  ["a change of phone", `select private.replace_phone(${keeping(7)}, '+12025550102', null, '{}', '192.0.2.1')`, 1],
  ["a deletion by the owner", `select private.schedule_deletion('${userId}')`, 0],
  ["disable_account", `${admin}; select "user".disable_account('${userId}', 'stolen'); reset role`, 0],
  ["revoke_sessions_of", `${admin}; select "user".revoke_sessions_of('${userId}'); reset role`, 0],
  ["erase_account", `${admin}; select "user".erase_account('${userId}'); reset role`, 0],
  [
    "a slice of the clean-up",
    `update "user".account set deletion_due_at = now(); select delivery.erase_due_account(0)`,
    -1,
  ],
])("%s ends 22,000 sessions by writing a bounded number of rows", async ([, statement, survivors], { connection }) => {
  const written = await rowsWrittenBy(connection, statement, async () => {
    const { rows } = await connection.query(`select count(*)::integer as count from ${live}`);
    if (survivors >= 0) expect(rows).toEqual([{ count: survivors }]);
    if (survivors >= 0) expect(await answerOf(connection, sessions / 2)).toBe("SESSION_REVOKED");
  });
  expect(written).toBeLessThan(7_000);
  expect(written).toBeGreaterThan(900);
});

test("the first session after SESSIONS_PER_USER was switched on leaves that many", async ({ connection }) => {
  const open = `insert into "user".session (user_id) values ('${userId}')`;
  const written = await rowsWrittenBy(connection, open, async () => {
    const { rows } = await connection.query(`select count(*)::integer as count from ${live}`);
    expect(rows).toEqual([{ count: 100 }]);
  });
  expect(written).toBeLessThan(1_500);
  expect(await pagesReadBy(connection, open)).toBeLessThan(30_000);
});

test("thousands of sessions are erased behind the lock of their account: who revokes them locks them in another order", async ({
  database,
  connect,
}) => {
  const eraser = await connect();
  await eraser.query("begin");
  const account = { text: `select from "user".account for no key update`, values: [] };
  let free: unknown[] = [];
  const { rows } = await raceBehindLock(
    database,
    account,
    1,
    () => eraser.query(`select private.erase_some_sessions('${userId}') as erased`),
    async () => {
      free = await database.query(
        `select count(*)::integer as count from (select from "user".session for update skip locked) s`,
      );
    },
  );
  await eraser.query("rollback");
  expect(rows).toEqual([{ erased: true }]);
  expect(free).toEqual([{ count: sessions }]);
});

test("once they have ended, neither a list nor an opening reads them, marked or not", async ({
  database,
  connection,
}) => {
  await database.query(`select count(*) from private.revoke_sessions_of_user('${userId}', '{${sessionId(7)}}')`);
  await database.query(`vacuum analyze "user".session`);
  const list = `select * from api.list_sessions(${keeping(7)})`;
  expect(await database.query(`select cardinality(sessions) as count from api.list_sessions(${keeping(7)})`)).toEqual([
    { count: 1 },
  ]);
  expect(await pagesReadBy(connection, list)).toBeLessThan(100);
  expect(await pagesReadBy(connection, `insert into "user".session (user_id) values ('${userId}')`)).toBeLessThan(300);
});
