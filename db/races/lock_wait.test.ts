import { expect } from "vitest";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { answerBehind, besideLock } from "../../testing/postgres/lock_wait.ts";
import { test } from "../fixtures/database_fixtures.ts";

// Calls that must, or must not, wait for a row that another transaction holds. Flows race the same calls too, but would
// show a missing lock only by chance.
const phone = "+12025550101";

test.beforeAll(({ database }) =>
  database.query(
    `insert into "user".account (id, phone, phone_verified_at, password_hash)
       values (private.new_id(), '${phone}', now(), private.hash_password('old'));
     select private.open_session(row(a.id, null, '192.0.2.1', null, null, null)::private.sign_in) from "user".account a;
     insert into private.verification_state (identifier_type, identifier) values ('PHONE', '${phone}')`,
  ),
);

test("a login waits for a password that is being replaced, and is refused", async ({ database }) => {
  const [read] = await database.query<{ account: string }>('select a::text as account from "user".account a');
  const answer = await answerBehind(
    database,
    `update "user".account set password_hash = private.hash_password('new')`,
    `private.admit_login($1::"user".account, 'old')`,
    [read!.account],
  );
  expect(answer).toBe(false);
});

test("a guess waits for the one before it", async ({ database }) => {
  const lock = `private.lock_verification_state('PHONE', '${phone}')`;
  expect(await answerBehind(database, `select ${lock}`, `(${lock}).identifier`)).toBe(phone);
});

test("a refresh waits for the one before it, and rotates nothing again", async ({ database }) => {
  const [session] = await database.query<{ id: string; token: string }>(
    'select id, refresh_token_id as token from "user".session',
  );
  const answer = await answerBehind(
    database,
    `select api.refresh_session(s.id, s.refresh_token_id, '192.0.2.1', null) from "user".session s`,
    "(api.refresh_session($1, $2, '192.0.2.1', null)).refresh_token_id",
    [session!.id, session!.token],
  );
  const stored = await database.query(
    'select refresh_token_id as current, previous_refresh_token_id as previous from "user".session',
  );
  expect(stored).toEqual([{ current: answer, previous: session!.token }]);
});

test("the revocation of another session waits for one that began before, and answers that there is no such session", async ({
  database,
}) => {
  const [opened] = await database.query<{ id: string; user: string; other: string }>(
    `select s.id, s.user_id as "user", (private.open_session(row(s.user_id, null, '192.0.2.1', null, null, null)::private.sign_in)).session_id as other
     from "user".session s`,
  );
  const { id, user, other } = opened!;
  const answer = await answerBehind(
    database,
    `update "user".session set revoked_at = clock_timestamp() where id = '${other}'`,
    "((api.revoke_session($1, $2, $3)).error).code",
    [id, user, other],
  );
  await database.query(`delete from "user".session where id = '${other}'`);
  expect(answer).toBe("SESSION_NOT_FOUND");
});

test("a logout waits for a revocation of its session, and answers that it is revoked", async ({ database }) => {
  const [session] = await database.query<{ id: string }>('select id from "user".session');
  const answer = await answerBehind(
    database,
    `update "user".session set revoked_at = clock_timestamp()`,
    "((api.log_out($1)).error).code",
    [session!.id],
  );
  expect(answer).toBe("SESSION_REVOKED");
});

test("a request waits for the one before it, which takes the last places, and is not counted: the longest wait is answered", async ({
  database,
}) => {
  await database.query("insert into platform.rate_limit (key) values ('one place')");
  const take = `private.take_rate_limits(array[
    row('P', 'one place', 1, interval '1 hour')::private.rate_limit_rule,
    row('Q', 'other place', 1, interval '1 minute')::private.rate_limit_rule])`;
  expect(
    await answerBehind(database, `select ${take}`, `(select v.policy || (v.taken_at is null) from ${take} v)`),
  ).toBe("Ptrue");
  expect(
    await database.query("select totals from platform.rate_limit where key in ('one place', 'other place')"),
  ).toEqual([{ totals: ["0", "1"] }, { totals: ["0", "1"] }]);
});

test("a heartbeat does not wait for the row of a worker that has stopped", async ({ database }) => {
  await database.query(
    "insert into private.worker_heartbeat (worker, at, can_send) values ('gone', now() - interval '1 hour', true)",
  );
  await besideLock(
    database,
    "select from private.worker_heartbeat for update",
    "select delivery.heartbeat('next', true)",
  );
  expect(await database.query("select worker from private.worker_heartbeat order by worker")).toEqual([
    { worker: "gone" },
    { worker: "next" },
  ]);
});

test("an attempt is recorded while a replay of its event is not yet committed", async ({ database }) => {
  await database.query(
    `insert into settings.event_subscription (id, url, types, secret_name)
     values ('crm', 'https://hooks.example.com', '{session.opened}', 'crm')`,
  );
  await database.query("select private.record_event('session.opened', gen_random_uuid())");
  await besideLock(
    database,
    "select platform.replay_events('crm', '-infinity', 'infinity')",
    `select delivery.record_event_deliveries('crm', array(select event_id from platform.event_delivery), '{HTTP 503}')`,
  );
  expect(await database.query("select attempts from platform.event_delivery")).toEqual([{ attempts: 1 }]);
});

test("the erasure of a due account that is locked fails with the lock time-out, so that the clean-up does not call it again at once", async ({
  database,
}) => {
  await database.query(`insert into "user".account (id, phone, phone_verified_at, deletion_due_at)
    values (private.new_id(), '+12025550102', now(), now())`);
  const erase = "select set_config('lock_timeout', '1s', true), delivery.erase_due_account(0)";
  let refusal = Promise.resolve();
  await raceBehindLock(
    database,
    { text: `select from "user".account where phone = '+12025550102' for update`, values: [] },
    // The refusal itself shows that it has waited.
    0,
    () =>
      (refusal = expect(database.query(erase)).rejects.toMatchObject({
        code: "55P03",
        message: "canceling statement due to lock timeout",
      })),
    () => refusal,
  );
  await database.query(erase);
  expect(await database.query(`select from "user".account where phone = '+12025550102'`)).toEqual([]);
});

test("an erasure that waits for an account holds no counter of sends, for which the transaction that holds the account may wait", async ({
  database,
}) => {
  await database.query(`
    with account as (
      insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550103', now())
    ), otp as (
      insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, counted_at, delivery, expires_at)
      values (private.new_id(), '+12025550103', 'PHONE', 'LOGIN', true, now(), 'sent', now()) returning id
    )
    select private.record_send(
      jsonb_populate_record(null::platform.send_decision, jsonb_build_object('id', private.new_id(), 'at', now(), 'prefix', '+12025',
        'country', 'US', 'client', '192.0.2.1', 'purpose', 'LOGIN', 'verdict', 'allowed')),
      otp.id
    ) from otp`);
  const counters = "select subject from private.send_count where subject = 'client:192.0.2.1'";
  let free: unknown[] = [];
  await raceBehindLock(
    database,
    { text: `select from "user".account where phone = '+12025550103' for no key update`, values: [] },
    1,
    () => database.query(`select "user".erase_account(a.id) from "user".account a where a.phone = '+12025550103'`),
    async () => {
      free = await database.query(`${counters} for update skip locked`);
    },
  );
  expect(free, "the hour's and the day's").toHaveLength(2);
  expect(await database.query(counters), "erased with the account").toEqual([]);
});

test("limits are cleared after a verification that has just begun, although its phone had no state before", async ({
  database,
}) => {
  const lock = "select private.lock_verification_state('PHONE', '+12025550104')";
  expect(await answerBehind(database, lock, "array(select key from platform.clear_limits('+12025550104'))")).toEqual(
    [],
  );
});

test("a change of a setting waits for the one before it, and is compared with it", async ({ database }) => {
  const set = (key: string, value: unknown) =>
    `insert into settings.configuration (key, value) values ('${key}', '${JSON.stringify(value)}')
     on conflict on constraint configuration_pkey do update set value = excluded.value`;
  let refusal = Promise.resolve();
  await raceBehindLock(
    database,
    { text: set("OTP_LENGTH", 8), values: [] },
    1,
    () =>
      (refusal = expect(
        database.query(set("OTP_TEST_NUMBERS", { [phone]: { code: "123456", until: "2100-01-01T00:00:00Z" } })),
      ).rejects.toMatchObject({ code: "23514" })),
  );
  await refusal;
});
