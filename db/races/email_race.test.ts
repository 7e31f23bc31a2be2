import { expect } from "vitest";
import { blockedConnections, raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { test } from "../fixtures/database_fixtures.ts";

// Rows about an email are deleted with the last account that has it, also when two accounts lose it at the same time.
test("of two accounts with one email that are erased at the same time, the second erasure deletes the rows that hold it", async ({
  database,
}) => {
  await database.query(
    `insert into "user".account (id, phone, email, phone_verified_at)
       select gen_random_uuid(), '+1202555011' || n, 'ada@example.com', now() from generate_series(1, 2) n;
     insert into "user".session (user_id) select id from "user".account;
     insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at)
       values (gen_random_uuid(), 'ada@example.com', 'EMAIL', 'LOGIN', false, 'stored', now())`,
  );
  // An erasure deletes sessions last: both have checked by then whether another account has the email.
  await raceBehindLock(database, { text: `select from "user".session for update`, values: [] }, 2, () =>
    Promise.all(
      [1, 2].map((n) =>
        database.query(`select private.erase_account(id) from "user".account where phone = '+1202555011${n}'`),
      ),
    ),
  );
  expect(await database.query("select identifier from platform.otp_transaction")).toEqual([]);
  expect(await database.query("select from private.verification_state where identifier_type = 'EMAIL'")).toEqual([]);
});

test("of two accounts whose one email is replaced at the same time, the second change deletes the rows that hold it", async ({
  database,
}) => {
  await database.query(
    `insert into "user".account (id, phone, email, phone_verified_at)
       select gen_random_uuid(), '+1202555012' || n, 'eve@example.com', now() from generate_series(1, 2) n;
     insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at)
       values (gen_random_uuid(), 'eve@example.com', 'EMAIL', 'LOGIN', false, 'stored', now());
     insert into private.verification_state (identifier_type, identifier) values ('EMAIL', 'eve@example.com')`,
  );
  // Both have changed their accounts when they wait here.
  await raceBehindLock(database, { text: "select from private.verification_state for update", values: [] }, 2, () =>
    Promise.all(
      [1, 2].map((n) =>
        database.query(`update "user".account set email = $1 where phone = '+1202555012${n}'`, [`eve${n}@example.com`]),
      ),
    ),
  );
  expect(await database.query("select from platform.otp_transaction where identifier like 'eve@%'")).toEqual([]);
  expect(await database.query("select from private.verification_state where identifier_type = 'EMAIL'")).toEqual([]);
});

const rowOf = (n: number) => `where phone = '+1202555014${n}'`;
const endings = {
  "is erased": (n: number) => `select private.erase_account(id) from "user".account ${rowOf(n)}`,
  "is deleted": (n: number) => `delete from "user".account ${rowOf(n)}`,
  "gets another email": (n: number) => `update "user".account set email = 'ivy${n}@example.com' ${rowOf(n)}`,
};

test.for([
  ["is erased", "is deleted"],
  ["is deleted", "is deleted"],
  ["is deleted", "is erased"],
  ["is deleted", "gets another email"],
] as const)(
  "of two accounts with one email, one %s while the other %s: the second deletes the rows that hold the email",
  async ([first, second], { database }) => {
    await database.query(
      `insert into "user".account (id, phone, email, phone_verified_at)
         select gen_random_uuid(), '+1202555014' || n, 'mia@example.com', now() from generate_series(1, 2) n;
       insert into "user".session (user_id) select id from "user".account ${rowOf(1)};
       insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at)
         values (gen_random_uuid(), 'mia@example.com', 'EMAIL', 'LOGIN', false, 'stored', now())`,
    );
    let ended: Promise<unknown> | undefined;
    // The first deletes its session last: it has checked by then whether another account has the email.
    await raceBehindLock(
      database,
      { text: `select from "user".session for update`, values: [] },
      1,
      () => database.query(endings[first](1)),
      async () => {
        ended = database.query(endings[second](2));
        ended.catch(() => undefined);
        await Promise.race([ended, blockedConnections(database, 2)]);
      },
    );
    await ended;
    expect(await database.query("select from platform.otp_transaction where identifier = 'mia@example.com'")).toEqual(
      [],
    );
    expect(await database.query("select from private.verification_state where identifier = 'mia@example.com'")).toEqual(
      [],
    );
    await database.query(`delete from "user".account ${rowOf(2)}`);
  },
);

test("an erasure that waits for a change of email fails, and erases the account when it is called again", async ({
  database,
}) => {
  await database.query(
    `insert into "user".account (id, phone, email, phone_verified_at)
       values (gen_random_uuid(), '+12025550131', 'eve@example.com', now());
     insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at)
       select gen_random_uuid(), e, 'EMAIL', 'LOGIN', false, 'stored', now()
       from unnest(array['eve@example.com', 'new.eve@example.com']) e`,
  );
  const erase = () =>
    database.query(`select private.erase_account(id) from "user".account where phone = '+12025550131'`);
  const failure = await raceBehindLock(
    database,
    {
      text: `with state as (select private.lock_verification_state('PHONE', '+12025550131') as locked)
             update "user".account set email = 'new.eve@example.com' from state
             where phone = '+12025550131' and (state.locked).identifier is not null`,
      values: [],
    },
    1,
    () => erase().then(String, (error: unknown) => (error as { code: string }).code),
  );
  expect(failure, "object_in_use").toBe("55006");
  await erase();
  expect(await database.query("select from platform.otp_transaction where identifier like '%eve@%'")).toEqual([]);
});

test("of two accounts that verify one email at the same time, one gets it", async ({ database }) => {
  const key = "'\\x" + "42".repeat(32) + "'::bytea";
  await database.query(
    `insert into settings.configuration (key, value) values ('EMAIL_DELIVERY', '"on"')
       on conflict on constraint configuration_pkey do update set value = excluded.value;
     insert into "user".account (id, phone, phone_verified_at)
       select gen_random_uuid(), '+1202555015' || n, now() from generate_series(1, 2) n;
     insert into "user".session (user_id) select id from "user".account where phone like '+1202555015%';
     insert into platform.otp_transaction
       (id, identifier, identifier_type, purpose, awaited, delivery, current_since, expires_at, account_id, code_hash)
       select o.id, 'zoe@example.com', 'EMAIL', 'EMAIL_CHANGE', true, 'sent', now(), now() + interval '1 hour', o.account_id,
         private.hash_code(o.id, '123456', ${key})
       from (select private.new_id() as id, a.id as account_id from "user".account a where a.phone like '+1202555015%' offset 0) o;
     insert into private.verification_state (identifier_type, identifier) values ('EMAIL', 'zoe@example.com')`,
  );
  const verify = async (n: number) => {
    const [row] = await database.query<{ reason: string | null }>(
      `select (c.error).details ->> 'reason' as reason
       from "user".account a join "user".session s on s.user_id = a.id,
         api.change_email(s.id, a.id, 'zoe@example.com', '123456', ${key}, '192.0.2.' || $1) c
       where a.phone = '+1202555015' || $1`,
      [String(n)],
    );
    return row?.reason ?? "verified";
  };
  const state = { text: "select from private.verification_state for update", values: [] };
  const answers = await raceBehindLock(database, state, 2, () => Promise.all([verify(1), verify(2)]));
  expect(answers.sort()).toEqual(["already_registered", "verified"]);
  const holders = await database.query(
    `select from "user".account where email = 'zoe@example.com' and email_verified_at is not null`,
  );
  expect(holders).toHaveLength(1);
});
