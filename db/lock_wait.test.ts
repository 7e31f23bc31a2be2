import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { raceBehindLock } from "../testing/lock_race.ts";
import { createTestDatabase, type TestDatabase } from "../testing/test_database.ts";

// Calls that must wait for a row that another transaction holds, or must not. Flows race the same calls, but meet the moment
// in which a missing lock matters only by chance.
const phone = "+12025550101";
const codeKey = "decode(repeat('42', 32), 'hex')";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at, password_hash)
       values (private.new_id(), '${phone}', now(), private.hash_password('old'));
     select private.open_session(row(a.id, null, null, null, null, null)::private.sign_in) from "user".account a;
     insert into private.verification_state (identifier_type, identifier) values ('PHONE', '${phone}')`,
  );
});
afterAll(() => database.drop());

/** What the call answers that starts while the other statement is not yet committed, and waits for it. */
async function answerBehind(statement: string, call: string, values: unknown[] = []): Promise<unknown> {
  const [row] = await raceBehindLock(database, { text: statement, values: [] }, 1, () =>
    database.query<{ answer: unknown }>(`select ${call} as answer`, values),
  );
  return row?.answer;
}

/** Runs the call while another transaction holds rows. It fails if it waits for one of them. */
async function besideLock(lock: string, call: string): Promise<void> {
  const [holder, caller] = [database.superuserUrl, database.superuserUrl].map(
    (connectionString) => new pg.Client({ connectionString }),
  ) as [pg.Client, pg.Client];
  await Promise.all([holder.connect(), caller.connect()]);
  try {
    await holder.query(`begin; ${lock}`);
    await caller.query("set lock_timeout = '5s'");
    await caller.query(call);
  } finally {
    await Promise.all([holder.end(), caller.end()]);
  }
}

test("a login waits for a password that is being replaced, and is refused", async () => {
  const [read] = await database.query<{ account: string }>('select a::text as account from "user".account a');
  const answer = await answerBehind(
    `update "user".account set password_hash = private.hash_password('new')`,
    `private.admit_login($1::"user".account, 'old')`,
    [read!.account],
  );
  expect(answer).toBe(false);
});

test("a guess waits for the one before it", async () => {
  const lock = `private.lock_verification_state('PHONE', '${phone}')`;
  expect(await answerBehind(`select ${lock}`, `(${lock}).identifier`)).toBe(phone);
});

test("a refresh waits for the one before it, and rotates nothing again", async () => {
  const [session] = await database.query<{ id: string; token: string }>(
    'select id, refresh_token_id as token from "user".session',
  );
  const answer = await answerBehind(
    `select api.refresh_session(s.id, s.refresh_token_id, '192.0.2.1', null) from "user".session s`,
    "(api.refresh_session($1, $2, '192.0.2.1', null)).refresh_token_id",
    [session!.id, session!.token],
  );
  const stored = await database.query(
    'select refresh_token_id as current, previous_refresh_token_id as previous from "user".session',
  );
  expect(stored).toEqual([{ current: answer, previous: session!.token }]);
});

test("a logout waits for a revocation of its session, and is told of it", async () => {
  const [session] = await database.query<{ id: string }>('select id from "user".session');
  const answer = await answerBehind(
    `update "user".session set revoked_at = clock_timestamp()`,
    "((api.log_out($1)).error).code",
    [session!.id],
  );
  expect(answer).toBe("SESSION_REVOKED");
});

test("a request waits for the one before it, which takes the last places, and is not counted: the longest wait is told", async () => {
  await database.query("insert into platform.rate_limit (key) values ('one place')");
  const take = `private.take_rate_limits(array[
    row('P', 'one place', 1, interval '1 hour')::private.rate_limit_rule,
    row('Q', 'other place', 1, interval '1 minute')::private.rate_limit_rule])`;
  expect(
    await answerBehind(`select ${take}`, `(select v.policy || (v.taken_at is null) from ${take} v)`),
  ).toBe("Ptrue");
  expect(
    await database.query("select totals from platform.rate_limit where key in ('one place', 'other place')"),
  ).toEqual([{ totals: ["0", "1"] }, { totals: ["0", "1"] }]);
});

test("a heartbeat waits for no row of a worker that is gone", async () => {
  await database.query(
    "insert into private.worker_heartbeat (worker, at, can_send) values ('gone', now() - interval '1 hour', true)",
  );
  await besideLock(
    "select from private.worker_heartbeat for update",
    "select delivery.heartbeat('next', true)",
  );
  expect(await database.query("select worker from private.worker_heartbeat order by worker")).toEqual([
    { worker: "gone" },
    { worker: "next" },
  ]);
});

test("the erasure of a due account that somebody holds fails by the lock time-out: the clean-up would call it again at once", async () => {
  await database.query(`insert into "user".account (id, phone, phone_verified_at, deletion_due_at)
    values (private.new_id(), '+12025550102', now(), now())`);
  const erase = "select set_config('lock_timeout', '1s', true), private.erase_due_account()";
  let refusal = Promise.resolve();
  await raceBehindLock(
    database,
    { text: `select from "user".account where phone = '+12025550102' for update`, values: [] },
    1,
    () => (refusal = expect(database.query(erase)).rejects.toMatchObject({ code: "55P03" })),
    () => refusal,
  );
  await database.query(erase);
  expect(await database.query(`select from "user".account where phone = '+12025550102'`)).toEqual([]);
});

test("an erasure that waits for an account holds no counter of sends, which the account's holder may want", async () => {
  await database.query(`
    with account as (
      insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550103', now())
    ), otp as (
      insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, counted_at, delivery, expires_at)
      values (private.new_id(), '+12025550103', 'PHONE', 'LOGIN', true, now(), 'sent', now()) returning id
    )
    select private.record_send(
      row(private.new_id(), now(), '+12025', 'US', '192.0.2.1', 'LOGIN', 'allowed', null, null, null, null, null, null, null, null, null, null, null),
      otp.id
    ) from otp`);
  const counters = "select subject from private.send_count where subject = 'client:192.0.2.1'";
  let free: unknown[] = [];
  await raceBehindLock(
    database,
    { text: `select from "user".account where phone = '+12025550103' for no key update`, values: [] },
    1,
    () =>
      database.query(
        `select "user".erase_account(a.id) from "user".account a where a.phone = '+12025550103'`,
      ),
    async () => {
      free = await database.query(`${counters} for update skip locked`);
    },
  );
  expect(free, "the hour's and the day's").toHaveLength(2);
  expect(await database.query(counters), "erased with the account").toEqual([]);
});

test("limits are cleared after a verification that has just begun, although its phone had no state before", async () => {
  const lock = "select private.lock_verification_state('PHONE', '+12025550104')";
  expect(await answerBehind(lock, "array(select key from platform.clear_limits('+12025550104'))")).toEqual(
    [],
  );
});

test("the first refresh of a day waits for nobody who holds the account: the next one records its use", async () => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550105', now());
     select private.open_session(row(a.id, null, null, null, null, null)::private.sign_in)
       from "user".account a where a.phone = '+12025550105';
     update "user".account set last_used_on = last_used_on - 9 where phone = '+12025550105';
     update "user".session s set created_at = now() - interval '1 day'
       from "user".account a where a.id = s.user_id and a.phone = '+12025550105'`,
  );
  const used = () =>
    database.query(
      `select last_used_on > (now() at time zone 'UTC')::date - 9 as used from "user".account where phone = '+12025550105'`,
    );
  const refresh = (when: string) =>
    `update "user".session s set rotated_at = ${when} from "user".account a where a.id = s.user_id and a.phone = '+12025550105'`;
  await besideLock(
    `select from "user".account where phone = '+12025550105' for no key update`,
    refresh("clock_timestamp()"),
  );
  expect(await used()).toEqual([{ used: false }]);
  await database.query(`${refresh("null")}; ${refresh("clock_timestamp()")}`);
  expect(await used()).toEqual([{ used: true }]);
});

test("a guest's sign-in that waits for the account does not hold the guest's session", async () => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550106', now())`,
  );
  const [guest] = await database.query<{ id: string }>(
    "select session_id as id from private.open_session(row(null, null, null, null, null, null)::private.sign_in)",
  );
  let free: unknown[] = [];
  await raceBehindLock(
    database,
    { text: `select from "user".account where phone = '+12025550106' for update`, values: [] },
    1,
    () =>
      database.query(
        `select private.open_session(row(a.id, null, null, null, null, $1)::private.sign_in)
         from "user".account a where a.phone = '+12025550106'`,
        [guest!.id],
      ),
    async () => {
      free = await database.query(`select id from "user".session where id = $1 for update skip locked`, [
        guest!.id,
      ]);
    },
  );
  expect(free).toEqual([guest]);
});

test("a login by a code leaves the code as it is when the guest's session ends beside it", async () => {
  await database.query(
    `insert into settings.configuration (key, value) values ('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}')
       on conflict on constraint configuration_pkey do update set value = excluded.value;
     insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550110', now())`,
  );
  const [sent] = await database.query<{ guest: string; code: string }>(
    `select g.session_id as guest, m.body as code
       from private.open_session(row(null, null, null, null, null, null)::private.sign_in) g,
         private.queue_otp('+12025550110', 'PHONE', 'LOGIN', true, clock_timestamp()) o,
         delivery.issue_otp_code(o.id, ${codeKey}, '{}') m,
         delivery.record_attempt(m.attempt_id, 'sent', null, null, null, null, null, null)`,
  );
  const answer = await answerBehind(
    `update "user".session set revoked_at = clock_timestamp() where id = '${sent!.guest}'`,
    `((api.log_in_by_otp('+12025550110', $1, ${codeKey}, '192.0.2.1', null, null, $2)).error).code`,
    [sent!.code, sent!.guest],
  );
  expect(answer).toBe("SESSION_REVOKED");
  expect(
    await database.query(
      "select verified_at from platform.otp_transaction where identifier = '+12025550110'",
    ),
  ).toEqual([{ verified_at: null }]);
});

test("a reset for a phone that its account is just giving up replaces no password", async () => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at, password_hash)
     values (private.new_id(), '+12025550107', now(), private.hash_password('old'))`,
  );
  const answer = await answerBehind(
    `update "user".account set phone = '+12025550108' where phone = '+12025550107'`,
    "private.replace_password('+12025550107', 'new')",
  );
  expect(answer).toBe(false);
});

test("a revocation of a session waits for the one before it, and finds it revoked", async () => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550111', now());
     select private.open_session(row(a.id, null, null, null, null, null)::private.sign_in)
       from "user".account a, generate_series(1, 2) where a.phone = '+12025550111'`,
  );
  const [caller, target] = await database.query<{ id: string; user_id: string }>(
    `select s.id, s.user_id from "user".session s join "user".account a on a.id = s.user_id where a.phone = '+12025550111'`,
  );
  const answer = await answerBehind(
    `update "user".session set revoked_at = clock_timestamp() where id = '${target!.id}'`,
    "((api.revoke_session($1, $2, $3)).error).code",
    [caller!.id, caller!.user_id, target!.id],
  );
  expect(answer).toBe("SESSION_NOT_FOUND");
});

test("a change to a phone that is just imported is refused, and changes nothing", async () => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550112', now());
     select private.open_session(row(a.id, null, null, null, null, null)::private.sign_in)
       from "user".account a where a.phone = '+12025550112'`,
  );
  const answer = await answerBehind(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550113', now())`,
    `(select (private.replace_phone(s.id, s.user_id, '+12025550113', '{}')).details ->> 'reason'
      from "user".session s join "user".account a on a.id = s.user_id where a.phone = '+12025550112')`,
  );
  expect(answer).toBe("already_registered");
});

test("an admin's revocation waits for a login, and revokes its session too", async () => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550109', now())`,
  );
  const account = `from "user".account a where a.phone = '+12025550109'`;
  const revoked = await answerBehind(
    `select private.open_session(row(a.id, null, null, null, null, null)::private.sign_in) ${account}`,
    `(select count(*)::integer from "user".account a, "user".revoke_sessions_of(a.id) where a.phone = '+12025550109')`,
  );
  expect(revoked).toBe(1);
});

test("a change of a setting waits for the one before it, and is compared with it", async () => {
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
        database.query(
          set("OTP_TEST_NUMBERS", { [phone]: { code: "123456", until: "2100-01-01T00:00:00Z" } }),
        ),
      ).rejects.toMatchObject({ code: "23514" })),
  );
  await refusal;
});
