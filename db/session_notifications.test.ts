import { expect } from "vitest";
import { test as baseTest } from "./fixtures/database_fixtures.ts";

// Notifications of "user".notify_session_changed: PostgreSQL delivers them after the commit, so pgTAP cannot see them.
const test = baseTest.extend("notificationsOf", { scope: "file" }, async ({ connection }) => {
  const received: unknown[] = [];
  connection.on("notification", ({ payload = "" }) => received.push(JSON.parse(payload)));
  await connection.query(
    `listen session_changed;
     insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550101', now())`,
  );
  /** Runs the statement. A connection receives its own notifications before the answer to its next statement. */
  return async (statement: string): Promise<unknown[]> => {
    received.length = 0;
    await connection.query(statement);
    await connection.query("select");
    return [...received];
  };
});
const readSession = 'select id as session_id, user_id from "user".session';
const openSession = `select private.open_session(row(a.id, null, null, null, null, null)::private.sign_in) from "user".account a`;

test("opening, revoking and deleting a user's session send its id and the user's", async ({
  connection,
  database,
  notificationsOf,
}) => {
  const notifications = await notificationsOf(openSession);
  const [session] = await database.query(readSession);
  expect(notifications).toEqual([session]);
  expect(await notificationsOf('update "user".session set revoked_at = clock_timestamp()')).toEqual([
    session,
  ]);
  await connection.query('delete from "user".session');
  await connection.query(openSession);
  const [next] = await database.query(readSession);
  expect(await notificationsOf('delete from "user".session')).toEqual([next]);
});

test("a guest's session, a refresh, and deleting a session that has ended send nothing", async ({
  connection,
  notificationsOf,
}) => {
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
  await connection.query('update "user".session set revoked_at = clock_timestamp()');
  expect(await notificationsOf('delete from "user".session')).toEqual([]);
  await connection.query(
    "select private.open_session(row(null, null, null, null, null, null)::private.sign_in)",
  );
  await connection.query('update "user".session set refresh_token_expires_at = clock_timestamp()');
  expect(await notificationsOf('delete from "user".session')).toEqual([]);
});
