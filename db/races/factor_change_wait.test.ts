import { expect } from "vitest";
import { answerBehind } from "../../testing/postgres/lock_wait.ts";
import { test } from "../fixtures/database_fixtures.ts";

// As lock_wait.test.ts, for second factors.

test("a new second factor whose session ends while it waits for the account is not added", async ({ database }) => {
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550119', now())`,
  );
  const [own] = await database.query<{ session_id: string; user_id: string }>(
    `select o.session_id, o.user_id
     from "user".account a, private.open_session(row(a.id, array['otp'], '192.0.2.1', null, null, null)::private.sign_in) o
     where a.phone = '+12025550119'`,
  );
  const answer = await answerBehind(
    database,
    `select "user".disable_account('${own!.user_id}', 'spam')`,
    `((api.add_totp_factor($1, $2, null, '\\x00', 'a pepper')).error).code`,
    [own!.session_id, own!.user_id],
  );
  expect(answer).toBe("SESSION_REVOKED");
  expect(await database.query(`select from "user".factor where user_id = $1`, [own!.user_id])).toEqual([]);
});
