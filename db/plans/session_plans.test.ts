import { expect } from "vitest";
import { pagesReadBy } from "../../testing/browser/pages_read.ts";
import { test } from "../fixtures/database_fixtures.ts";

// A user who logs in and out again and again must not make the list of its own sessions expensive.
const userId = "00000000-0000-7000-8000-000000000001";
const sessionId = (number: number) => `00000000-0000-7000-9000-${String(number).padStart(12, "0")}`;
const sessions = 100_000;
/** Of the newest sessions all but the very last are revoked. */
const revoked = 40_000;

test.beforeAll(async ({ database }) => {
  await database.query(`
    set session_replication_role = replica;
    insert into "user".account (id, phone, phone_verified_at) values ('${userId}', '+12025550101', now());
    insert into "user".session
      (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at, revoked_at)
      select ('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, '${userId}', 'user', 'user',
        gen_random_uuid(), now() + interval '1 hour', gen_random_uuid(), now() + interval '30 days',
        case when n between ${sessions - revoked} and ${sessions - 1} then now() end
      from generate_series(1, ${sessions}) n;
    set session_replication_role = origin`);
  await database.query(`vacuum analyze "user".session`);
});

test("the list of 100,000 sessions reads a hundred of them", async ({ database, connection }) => {
  const list = `select * from api.list_sessions('${sessionId(sessions)}', '${userId}')`;
  const [answer] = await database.query<{ first: string; last: string; count: number }>(
    `select sessions[1].session_id as first, sessions[100].session_id as last, cardinality(sessions) as count
     from api.list_sessions('${sessionId(sessions)}', '${userId}')`,
  );
  expect(answer).toEqual({
    first: sessionId(sessions),
    last: sessionId(sessions - revoked - 99),
    count: 100,
  });
  expect(await pagesReadBy(connection, list)).toBeLessThan(500);
});

test("opening one more session than SESSIONS_PER_USER reads those that it keeps and revokes", async ({
  database,
  connection,
}) => {
  await database.query(`update settings.configuration set value = '10' where key = 'SESSIONS_PER_USER'`);
  // Ten live sessions, 40,000 that were revoked recently, and many that were revoked earlier.
  await database.query(`update "user".session set revoked_at = now() where revoked_at is null and id < $1`, [
    sessionId(sessions - revoked - 9),
  ]);
  await database.query(`vacuum analyze "user".session`);
  expect(await pagesReadBy(connection, `insert into "user".session (user_id) values ('${userId}')`)).toBeLessThan(500);
  await database.query(`insert into "user".session (user_id) values ('${userId}')`);
  const live = `select count(*)::int as live from "user".session where revoked_at is null`;
  expect(await database.query(live)).toEqual([{ live: 10 }]);
});

test("is_live() reads the caller's session by its key, once for a statement of many rows", async ({ connection }) => {
  const claims = JSON.stringify({ sub: userId, sid: sessionId(sessions), user_type: "user" });
  // Divides by zero unless all rows are found.
  const live = `select private.seal_identity('${claims}');
    select 1 / (count(*) / 1000) from generate_series(1, 1000) where (select latchkey.is_live())`;
  expect(await pagesReadBy(connection, live)).toBeLessThan(50);
});
