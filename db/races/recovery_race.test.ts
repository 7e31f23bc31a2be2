import { expect } from "vitest";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { test } from "../fixtures/database_fixtures.ts";

const codeKey = `decode(repeat('42', 32), 'hex')`;
const turnOn = ["EMAIL_DELIVERY", "EMAIL_SIGN_IN", "PHONE_RECOVERY_BY_EMAIL"]
  .map(
    (key) =>
      `insert into settings.configuration (key, value) values ('${key}', '"on"')
         on conflict on constraint configuration_pkey do update set value = excluded.value;`,
  )
  .join("\n");
/** An account with a verified email, a session that a code by email opened, and another one. */
const account = (phone: string, email: string) =>
  `${turnOn}
   insert into "user".account (id, phone, phone_verified_at, email, email_verified_at)
     values (gen_random_uuid(), '${phone}', now(), '${email}', now());
   insert into "user".session (user_id, amr, authenticated_at)
     select a.id, m.amr, now() from "user".account a, (values ('{otp}'::text[]), ('{sms}')) m (amr) where a.phone = '${phone}';`;
const code = (identifier: string, purpose: string, phone: string | null) =>
  `insert into platform.otp_transaction
     (id, identifier, identifier_type, purpose, awaited, delivery, current_since, expires_at, account_id, code_hash)
     select o.id, '${identifier}', '${identifier.includes("@") ? "EMAIL" : "PHONE"}', '${purpose}', true, 'sent', now(), now() + interval '1 hour',
       (select a.id from "user".account a where a.phone = '${phone ?? ""}'), private.hash_code(o.id, '123456', ${codeKey})
     from (select private.new_id() as id offset 0) o;`;
const accountRow = (phone: string) => ({
  text: `select from "user".account where phone = $1 for update`,
  values: [phone],
});

test("of an account's deletion and a recovery of its phone at the same time, whichever is first, no change of phone is left", async ({
  database,
}) => {
  for (const [n, order] of [
    [1, ["recover", "delete"]],
    [2, ["delete", "recover"]],
  ] as const) {
    const [phone, wanted] = [`+1202555016${n}`, `+1202555017${n}`];
    await database.query(account(phone, `ann${n}@example.com`) + code(wanted, "PHONE_RECOVERY", phone));
    const ofAccount = `from "user".session s join "user".account a on a.id = s.user_id where a.phone = '${phone}'`;
    const calls = {
      recover: () =>
        database.query<{ code: string | null }>(
          `select (api.change_phone(s.id, s.user_id, '${wanted}', '123456', ${codeKey}, '192.0.2.1')).error.code ${ofAccount} and s.amr = '{otp}'`,
        ),
      // As api.delete_account does after it has checked the password.
      delete: () =>
        database.query<{ code: string | null }>(
          `select case when private.lock_account(s.user_id) is distinct from null then private.schedule_deletion(s.user_id)::text end as code ${ofAccount} and s.amr = '{sms}'`,
        ),
    };
    const answers = await raceBehindLock(database, accountRow(phone), 2, () =>
      Promise.all(order.map((name) => calls[name]())),
    );
    const recovered = answers[order.indexOf("recover")]?.[0]?.code;
    expect([null, "SESSION_REVOKED"]).toContain(recovered);
    expect(await database.query("select from private.phone_recovery where phone = $1", [wanted]), order.join()).toEqual(
      [],
    );
    const [row] = await database.query(
      `select phone, deletion_due_at is not null as deleted from "user".account where phone = $1`,
      [phone],
    );
    expect(row).toEqual({ phone, deleted: true });
  }
});

test.for([
  ["the account was deleted", "delete", "apply", false],
  ["the phone was changed", "apply", "delete", true],
] as const)(
  "of a due change of phone and the account's deletion at the same time, the second finds that %s",
  async ([, first, second, isChanged], { database }) => {
    const [phone, wanted] = isChanged ? ["+12025550181", "+12025550182"] : ["+12025550184", "+12025550185"];
    const email = `eva${wanted}@example.com`;
    await database.query(
      `${account(phone, email)}
       insert into private.phone_recovery select s.user_id, '${wanted}', s.id, now(), now()
         from "user".session s join "user".account a on a.id = s.user_id where a.phone = '${phone}' and s.amr = '{otp}'`,
    );
    const calls = {
      apply: `select private.apply_phone_changes('${wanted}')`,
      delete: `select private.schedule_deletion(a.id) from "user".account a
               where a.email = '${email}' and private.lock_account(a.id) is distinct from null`,
    };
    await raceBehindLock(database, { text: calls[first], values: [] }, 1, () => database.query(calls[second]));
    const rows = await database.query(
      `select a.phone, a.deletion_due_at is not null as deleted, exists (select from private.phone_recovery r where r.account_id = a.id) as waiting
       from "user".account a where a.email = '${email}'`,
    );
    expect(rows).toEqual([{ phone: isChanged ? wanted : phone, deleted: true, waiting: false }]);
  },
);

test("a code by email and one by SMS at the same time open a session each, once, and restore the account once", async ({
  database,
}) => {
  const [phone, email] = ["+12025550183", "ida@example.com"];
  await database.query(account(phone, email) + code(phone, "LOGIN", null) + code(email, "LOGIN", null));
  await database.query(`update "user".account set deletion_due_at = now() + interval '1 day' where phone = $1`, [
    phone,
  ]);
  const enter = async (name: "phone" | "email", client: string) => {
    const names =
      name === "phone"
        ? `'${phone}', '123456', ${codeKey}, '${client}', null`
        : `null, '123456', ${codeKey}, '${client}', '${email}'`;
    const [row] = await database.query<{
      answer: { error: { code: string } | null; restored: boolean; amr: string[] };
    }>(`select to_json(l) as answer from api.log_in_by_otp(${names}, null, null, null) l`);
    return row?.answer;
  };
  const answers = await raceBehindLock(database, accountRow(phone), 2, () =>
    Promise.all([enter("phone", "192.0.2.1"), enter("email", "192.0.2.2")]),
  );
  expect(answers.map((answer) => answer?.error ?? null)).toEqual([null, null]);
  expect(answers.map((answer) => answer?.amr)).toEqual([["sms"], ["otp"]]);
  expect(answers.filter((answer) => answer?.restored)).toHaveLength(1);
  const again = [await enter("phone", "192.0.2.3"), await enter("email", "192.0.2.4")];
  expect(again.map((answer) => answer?.error?.code)).toEqual(["OTP_ALREADY_USED", "OTP_ALREADY_USED"]);
});
