import { expect } from "vitest";
import { blockedConnections, raceBehindLock } from "../../testing/postgres/lock_race.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { test } from "../fixtures/database_fixtures.ts";

const [accountId, sessionId] = ["00000000-0000-7000-8000-00000000000a", "00000000-0000-7000-9000-000000000001"];
const codeKey = "decode(repeat('42', 32), 'hex')";
const wanted = "+12025550102";

const accounts = `select phone from "user".account where id = '${accountId}'`;
const verify = (database: TestDatabase, code: string) =>
  database.query<{ code: string | null }>(
    `select (c.error).code from api.change_phone($1, $2, $3, $4, ${codeKey}, '192.0.2.1') c`,
    [sessionId, accountId, wanted, code],
  );

/** An account that has asked for a phone, whether or not private.earlier_phone has it, and has typed one wrong code. */
async function askForPhone(database: TestDatabase, isRemembered: boolean): Promise<void> {
  await database.query(
    `delete from "user".account;
     delete from platform.otp_transaction;
     insert into "user".account (id, phone, phone_verified_at) values ('${accountId}', '+12025550101', now());
     insert into "user".session (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at)
       values ('${sessionId}', '${accountId}', 'user', 'user', gen_random_uuid(), now() + interval '1 hour', gen_random_uuid(), now() + interval '1 day');
     select private.remember_phone('${accountId}', '${wanted}', null, now()) where ${isRemembered};
     insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at, current_since, code_hash, account_id)
       select i, '${wanted}', 'PHONE', 'PHONE_CHANGE', true, 'sent', now() + interval '5 minutes', now(), private.hash_code(i, '123456', ${codeKey}), '${accountId}'
       from gen_random_uuid() i`,
  );
  expect(await verify(database, "000001")).toEqual([{ code: "INVALID_OTP" }]);
}

test.for<[string, string, boolean]>([
  ["a wrong code", "000000", true],
  ["the right code", "123456", true],
  ["the right code, for a phone that was forgotten among a hundred later ones,", "123456", false],
])(
  "the erasure of an account that verifies a phone with %s causes no deadlock",
  async ([, code, isRemembered], { database }) => {
    await askForPhone(database, isRemembered);
    // The erasure starts first, and holds the rows that it locks before the code.
    let verified: ReturnType<typeof verify> | undefined;
    await raceBehindLock(
      database,
      { text: "select from platform.otp_transaction for update", values: [] },
      1,
      () => database.query(`select private.erase_account('${accountId}')`),
      async () => {
        verified = verify(database, code);
        verified.catch(() => undefined);
        await blockedConnections(database, 2);
      },
    );
    expect(await verified).toEqual([{ code: "INVALID_OTP" }]);
    expect(await database.query(accounts)).toEqual([]);
  },
);

test("an erasure that waits for a change of phone fails, and erases the account when it is called again", async ({
  database,
}) => {
  await askForPhone(database, true);
  const erase = () => database.query(`select private.erase_account('${accountId}')`);
  const failure = await raceBehindLock(
    database,
    {
      text: `with state as (select private.lock_verification_state('PHONE', '+12025550101') as locked)
             update "user".account set phone = '+12025550103' from state where (state.locked).identifier is not null`,
      values: [],
    },
    1,
    () => erase().then(String, (error: unknown) => (error as { code: string }).code),
  );
  expect(failure, "object_in_use").toBe("55006");
  await erase();
  expect(await database.query(accounts)).toEqual([]);
});

test("an erasure that waits for a limit of its phone does not yet hold the decisions about sends", async ({
  database,
}) => {
  await askForPhone(database, true);
  await database.query(
    `insert into platform.rate_limit (key) values ('OTP_SEND_PER_IDENTIFIER:+12025550101');
     insert into private.known_client values ('${accountId}', '192.0.2.1', now());
     insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id)
       values (gen_random_uuid(), now(), '+12025', 'US', '192.0.2.1', 'SIGNUP', 'allowed', gen_random_uuid())`,
  );
  // A request of another account for this phone holds the limit, and may wait for one that verifies the code of such a
  // decision.
  await raceBehindLock(
    database,
    { text: "select from platform.rate_limit where key like 'OTP_SEND%' for update", values: [] },
    1,
    () => database.query(`select private.erase_account('${accountId}')`),
    () => database.query("select from platform.send_decision for update nowait"),
  );
  expect(await database.query(accounts)).toEqual([]);
});
