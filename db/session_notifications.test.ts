import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test_database.ts";

// What "user".notify_session_changed sends. PostgreSQL delivers it after the commit, so pgTAP cannot see it.
let database: TestDatabase;
let client: pg.Client;
const received: unknown[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  client.on("notification", ({ payload = "" }) => received.push(JSON.parse(payload)));
  await client.query("listen session_changed");
  await client.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550101', now())`,
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Runs the statement. A connection receives its own notifications before the answer to its next statement. */
async function notificationsOf(statement: string): Promise<unknown[]> {
  received.length = 0;
  await client.query(statement);
  await client.query("select");
  return [...received];
}
const openSession = `select private.open_session(row(a.id, null, null, null, null, null)::private.sign_in) from "user".account a`;
const readSession = async () =>
  (await client.query('select id as session_id, user_id from "user".session')).rows[0] as unknown;

test("opening, revoking and deleting a user's session send its id and the user's", async () => {
  const opened = await notificationsOf(openSession);
  const session = await readSession();
  expect(opened).toEqual([session]);
  expect(await notificationsOf('update "user".session set revoked_at = clock_timestamp()')).toEqual([
    session,
  ]);
  await client.query('delete from "user".session');
  await client.query(openSession);
  const next = await readSession();
  expect(await notificationsOf('delete from "user".session')).toEqual([next]);
});

test("a guest's session, a refresh, and deleting a session that has ended send nothing", async () => {
  expect(
    await notificationsOf(
      "select private.open_session(row(null, null, null, null, null, null)::private.sign_in)",
    ),
  ).toEqual([]);
  expect(
    await notificationsOf(
      `select api.refresh_session(s.id, s.refresh_token_id, '192.0.2.1', null) from "user".session s`,
    ),
  ).toEqual([]);
  await client.query('update "user".session set revoked_at = clock_timestamp()');
  expect(await notificationsOf('delete from "user".session')).toEqual([]);
  await client.query("select private.open_session(row(null, null, null, null, null, null)::private.sign_in)");
  await client.query('update "user".session set refresh_token_expires_at = clock_timestamp()');
  expect(await notificationsOf('delete from "user".session')).toEqual([]);
});
