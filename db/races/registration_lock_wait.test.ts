import { queueOtp } from "../../testing/queued_otp.ts";
import { expect } from "vitest";
import { answerBehind } from "../../testing/postgres/lock_wait.ts";
import { test } from "../fixtures/database_fixtures.ts";

// As lock_wait.test.ts, for registrations.
const codeKey = "decode(repeat('42', 32), 'hex')";
const phone = "+12025550114";

test("the verification of a registration whose phone is imported at the same time opens no session, and uses the code", async ({
  database,
}) => {
  await database.query(
    `insert into settings.configuration (key, value) values ('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}')
       on conflict on constraint configuration_pkey do update set value = excluded.value;
     select private.store_registration(private.new_id(), '${phone}', null, private.hash_password('old'))`,
  );
  const [sent] = await database.query<{ code: string }>(
    `select m.body as code
       from ${queueOtp(`'${phone}'`, { purpose: "SIGNUP", at: "clock_timestamp()" })} o,
         delivery.issue_otp_code(o.id, ${codeKey}, '{}') m,
         delivery.record_attempt(m.attempt_id, 'sent', null, null, null, null, null, null)`,
  );
  const answer = await answerBehind(
    database,
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '${phone}', now())`,
    `((api.verify_registration('${phone}', $1, ${codeKey}, '192.0.2.1', null, null, null, null)).error).details ->> 'reason'`,
    [sent!.code],
  );
  expect(answer).toBe("already_registered");
  expect(
    await database.query(
      'select (select count(*)::int from "user".session) as sessions, verified_at is not null as used from platform.otp_transaction',
    ),
  ).toEqual([{ sessions: 0, used: true }]);
});
