import { expect } from "vitest";
import { test as baseTest } from "../fixtures/database_fixtures.ts";

// Notifications of "user".notify_session_changed: PostgreSQL delivers them after the commit, so pgTAP cannot see them.
const test = baseTest.extend("notificationsOf", { scope: "file" }, async ({ connection }) => {
  const received: unknown[] = [];
  connection.on("notification", ({ payload = "" }) => received.push(payload));
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
const readOwner = 'select private.notification_digest(id) as digest from "user".account';
const openSession = `select private.open_session(row(a.id, null, '192.0.2.1', null, null, null)::private.sign_in) from "user".account a`;

test("opening, revoking and deleting a user's session send a digest of the user's id, and no id", async ({
  connection,
  database,
  notificationsOf,
}) => {
  const [owner] = await database.query<{ digest: string }>(readOwner);
  const once = [owner!.digest];
  expect(await notificationsOf(openSession)).toEqual(once);
  expect(await notificationsOf('update "user".session set revoked_at = clock_timestamp()')).toEqual(once);
  await connection.query('delete from "user".session');
  await connection.query(openSession);
  expect(await notificationsOf('delete from "user".session')).toEqual(once);
});

test("ending many sessions of a user at once sends one notification, and so does the clean-up that marks them", async ({
  connection,
  database,
  notificationsOf,
}) => {
  await connection.query(
    `update settings.configuration set value = '"off"' where key = 'SESSIONS_PER_USER';
     insert into "user".session (user_id) select a.id from "user".account a, generate_series(1, 1100)`,
  );
  const [owner] = await database.query<{ digest: string }>(readOwner);
  const once = [owner!.digest];
  expect(await notificationsOf('select count(*) from "user".account a, private.revoke_sessions_of_user(a.id)')).toEqual(
    once,
  );
  expect(await notificationsOf("select private.mark_ended_sessions()")).toEqual(once);
  await connection.query('delete from "user".session');
});

test("the end of a guest's session sends a digest of the session's id", async ({ connection, notificationsOf }) => {
  const { rows } = await connection.query<{ id: string; digest: string }>(
    `select g.session_id as id, private.notification_digest(g.session_id) as digest
     from private.open_session(row(null, null, null, null, null, null)::private.sign_in) g`,
  );
  const [guest] = rows;
  expect(await notificationsOf(`select api.log_out('${guest!.id}')`)).toEqual([guest!.digest]);
  await connection.query('delete from "user".session');
});

test("a guest's session, a refresh, and deleting a session that has ended send nothing", async ({
  connection,
  notificationsOf,
}) => {
  expect(
    await notificationsOf("select private.open_session(row(null, null, null, null, null, null)::private.sign_in)"),
  ).toEqual([]);
  expect(
    await notificationsOf(
      `select api.refresh_session(s.id, s.refresh_token_id, '192.0.2.1', null) from "user".session s`,
    ),
  ).toEqual([]);
  await connection.query('update "user".session set revoked_at = clock_timestamp()');
  expect(await notificationsOf('delete from "user".session')).toEqual([]);
  await connection.query("select private.open_session(row(null, null, null, null, null, null)::private.sign_in)");
  await connection.query('update "user".session set refresh_token_expires_at = clock_timestamp()');
  expect(await notificationsOf('delete from "user".session')).toEqual([]);
});
