import { queueOtp } from "../../testing/queued_otp.ts";
import { expect } from "vitest";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { answerBehind, besideLock } from "../../testing/postgres/lock_wait.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { test } from "../fixtures/database_fixtures.ts";

// As lock_wait.test.ts, for accounts, their sessions and their phones.
const codeKey = "decode(repeat('42', 32), 'hex')";

test("the first refresh of a day does not wait for a locked account: the next refresh records the use", async ({
  database,
}) => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550105', now());
     select private.open_session(row(a.id, null, '192.0.2.1', null, null, null)::private.sign_in)
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
    database,
    `select from "user".account where phone = '+12025550105' for no key update`,
    refresh("clock_timestamp()"),
  );
  expect(await used()).toEqual([{ used: false }]);
  await database.query(`${refresh("null")}; ${refresh("clock_timestamp()")}`);
  expect(await used()).toEqual([{ used: true }]);
});

/** Sends a LOGIN code to a new account with the phone, and opens a guest's session. */
async function sendLoginCode(database: TestDatabase, phone: string): Promise<{ guest: string; code: string }> {
  await database.query(
    `insert into settings.configuration (key, value) values ('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}')
       on conflict on constraint configuration_pkey do update set value = excluded.value;
     insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '${phone}', now())`,
  );
  const [sent] = await database.query<{ guest: string; code: string }>(
    `select g.session_id as guest, m.body as code
       from private.open_session(row(null, null, null, null, null, null)::private.sign_in) g,
         ${queueOtp(`'${phone}'`, { at: "clock_timestamp()" })} o,
         delivery.issue_otp_code(o.id, ${codeKey}, '{}') m,
         delivery.record_attempt(m.attempt_id, 'sent', null, null, null, null, null, null)`,
  );
  return sent!;
}

test.for([
  ["its account", "+12025550106", false],
  ["the recycled account, whose phone gets a new one,", "+12025550118", true],
] as const)(
  "a guest's login that waits for %s does not hold the guest's session",
  async ([, phone, recycled], { database }) => {
    const { guest, code } = await sendLoginCode(database, phone);
    const recycleAfter = (days: string) =>
      database.query("update settings.configuration set value = $1 where key = 'PHONE_RECYCLED_AFTER_DAYS'", [days]);
    if (recycled) {
      await database.query(`update "user".account set last_used_on = last_used_on - 400 where phone = '${phone}'`);
      await recycleAfter("365");
    }
    let free: unknown[] = [];
    const [answer] = await raceBehindLock(
      database,
      { text: `select from "user".account where phone = '${phone}' for update`, values: [] },
      1,
      () =>
        database.query<{ promoted: string; created: boolean }>(
          `select promoted_session_id as promoted, created
         from api.log_in_by_otp('${phone}', $1, ${codeKey}, '192.0.2.1', null, null, null, $2)`,
          [code, guest],
        ),
      async () => {
        free = await database.query(`select id from "user".session where id = $1 for update skip locked`, [guest]);
      },
    );
    await recycleAfter('"off"');
    expect(free).toEqual([{ id: guest }]);
    expect(answer).toEqual({ promoted: guest, created: recycled });
  },
);

test("a login by a code leaves the code unused when the guest's session ends at the same time", async ({
  database,
}) => {
  const { guest, code } = await sendLoginCode(database, "+12025550110");
  const answer = await answerBehind(
    database,
    `update "user".session set revoked_at = clock_timestamp() where id = '${guest}'`,
    `((api.log_in_by_otp('+12025550110', $1, ${codeKey}, '192.0.2.1', null, null, null, $2)).error).code`,
    [code, guest],
  );
  expect(answer).toBe("SESSION_REVOKED");
  expect(
    await database.query("select verified_at from platform.otp_transaction where identifier = '+12025550110'"),
  ).toEqual([{ verified_at: null }]);
});

test("a reset for a phone that its account gives up at the same time replaces no password", async ({ database }) => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at, password_hash)
     values (private.new_id(), '+12025550107', now(), private.hash_password('old'))`,
  );
  const answer = await answerBehind(
    database,
    `update "user".account set phone = '+12025550108' where phone = '+12025550107'`,
    "private.replace_password('+12025550107', 'new', null)",
  );
  expect(answer).toBe(false);
});

test("a revocation of a session waits for the one before it, and finds it revoked", async ({ database }) => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550111', now());
     select private.open_session(row(a.id, null, '192.0.2.1', null, null, null)::private.sign_in)
       from "user".account a, generate_series(1, 2) where a.phone = '+12025550111'`,
  );
  const [caller, target] = await database.query<{ id: string; user_id: string }>(
    `select s.id, s.user_id from "user".session s join "user".account a on a.id = s.user_id where a.phone = '+12025550111'`,
  );
  const answer = await answerBehind(
    database,
    `update "user".session set revoked_at = clock_timestamp() where id = '${target!.id}'`,
    "((api.revoke_session($1, $2, $3)).error).code",
    [caller!.id, caller!.user_id, target!.id],
  );
  expect(answer).toBe("SESSION_NOT_FOUND");
});

test("a change to a phone that is imported at the same time is refused, and changes nothing", async ({ database }) => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550112', now());
     select private.open_session(row(a.id, null, '192.0.2.1', null, null, null)::private.sign_in)
       from "user".account a where a.phone = '+12025550112'`,
  );
  const answer = await answerBehind(
    database,
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550113', now())`,
    `(select (private.replace_phone(s.id, s.user_id, '+12025550113', null, '{}', '192.0.2.1')).details ->> 'reason'
      from "user".session s join "user".account a on a.id = s.user_id where a.phone = '+12025550112')`,
  );
  expect(answer).toBe("already_registered");
});

test("an admin's revocation waits for a login, and revokes its session too", async ({ database }) => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550109', now())`,
  );
  const account = `from "user".account a where a.phone = '+12025550109'`;
  const revoked = await answerBehind(
    database,
    `select private.open_session(row(a.id, null, '192.0.2.1', null, null, null)::private.sign_in) ${account}`,
    `(select count(*)::integer from "user".account a, "user".revoke_sessions_of(a.id) where a.phone = '+12025550109')`,
  );
  expect(revoked).toBe(1);
});

test("a login that waits for a revocation of all sessions opens one that is live", async ({ database }) => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550114', now());
     select private.open_session(row(a.id, null, '192.0.2.1', null, null, null)::private.sign_in)
       from "user".account a where a.phone = '+12025550114'`,
  );
  const account = `from "user".account a where a.phone = '+12025550114'`;
  const sessionId = await answerBehind(
    database,
    `select count(*) from "user".account a, private.revoke_sessions_of_user(a.id) where a.phone = '+12025550114'`,
    `(select (private.open_session(row(a.id, null, '192.0.2.1', null, null, null)::private.sign_in)).session_id ${account})`,
  );
  expect(
    await database.query(
      `select s.id from "user".session s join "user".account a on a.id = s.user_id
       where a.phone = '+12025550114' and private.session_error(s) is null`,
    ),
  ).toEqual([{ id: sessionId }]);
});

test.for([
  ["api.revoke_other_sessions", `((api.revoke_other_sessions($1, $2)).error).code`, "SESSION_REVOKED"],
  [
    "the mutation",
    `(select count(*)::integer from (select private.seal_identity(jsonb_build_object('sid', $1::uuid, 'sub', $2::uuid, 'user_type', 'user'))) c,
      lateral "user".revoke_other_sessions() r)`,
    0,
  ],
] as const)(
  "%s of a session that a reset ends at the same time ends no later session",
  async ([name, call, answer], { database }) => {
    const phone = name === "the mutation" ? "+12025550115" : "+12025550116";
    const account = `from "user".account a where a.phone = '${phone}'`;
    const open = `private.open_session(row(a.id, null, '192.0.2.1', null, null, null)::private.sign_in)`;
    await database.query(
      `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '${phone}', now());
     select ${open} ${account}`,
    );
    const [caller] = await database.query<{ id: string; user_id: string }>(
      `select s.id, s.user_id from "user".session s join "user".account a on a.id = s.user_id where a.phone = '${phone}'`,
    );
    // A reset, and a login with the new password, in one transaction.
    const reset = `select count(*) from "user".account a, private.revoke_sessions_of_user(a.id) where a.phone = '${phone}';
    select ${open} ${account}`;
    expect(await answerBehind(database, reset, call, [caller!.id, caller!.user_id])).toBe(answer);
    expect(
      await database.query(
        `select s.id from "user".session s where s.user_id = $1 and private.session_error(s) is null`,
        [caller!.user_id],
      ),
    ).toHaveLength(1);
  },
);
