import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { shared } from "../../testing/run/shared.ts";
import { test } from "../../testing/fixtures.ts";
import { importUsers } from "../../testing/service/import_users.ts";
import { goodPassword } from "../../testing/service/people.ts";

// Numbers and addresses that no other test has: all of them share PostgreSQL's log.
const taken = "+12027746001";
const [other, third] = ["+12027746002", "+12027746003"];
const malformed = "+1202774600x";
const email = "log-reader@ada.example";
const wrongEmail = "log-reader is no address";
const wrongPassword = "a password that no log has";

test("no refusal writes a phone, an email, a password or a code to PostgreSQL's log", async ({ service, database }) => {
  const { client, gateway } = service;
  const register = (phone: string) => client.post("/auth/register", { phone, password: goodPassword, email });
  await Promise.all([register(taken), register(taken)]);
  const [, otp] = await Promise.all([client.sendOtp(taken), gateway.nextCode(taken)]);
  const verify = () => client.post("/auth/register/verify", { phone: taken, otp });
  await Promise.all([verify(), verify()]);
  await Promise.all([register(taken), register(taken)]);
  await importUsers(database, [{ phone: other, email }]);
  await expect(importUsers(database, [{ phone: taken, email }])).rejects.toThrow("another account");
  await expect(importUsers(database, [{ phone: malformed }])).rejects.toThrow("not a valid number");

  const logIn = (password: string) => client.post("/auth/login", { phone: taken, password });
  expect((await logIn(wrongPassword)).status).toBe(401);
  const own = bearer(tokensOf(await logIn(goodPassword)).access_token);
  const change = { newPhone: other, password: goodPassword };
  const [, code] = await Promise.all([client.post("/auth/phone", change, own), gateway.nextCode(other)]);
  expect((await client.post("/auth/phone/verify", { newPhone: other, otp: code }, own)).body.error).toMatchObject({
    details: { reason: "already_registered" },
  });

  // Past the programs, which check first: by SQL, with parameters.
  const importUser = `select private.import_users(array[row($1, $2, null, null, null, '\\x01', null, null)::private.imported_user], 4)`;
  const asAdmin = `with r as materialized (select set_config('role', 'latchkey_admin', true))`;
  const createAccount = `${asAdmin} select "user".create_account($1, $2) from r`;
  const givePhone = `${asAdmin} update "user".account a set phone = $1 from r where a.phone is not distinct from $2`;
  const changeEmail = `${asAdmin} update "user".account a set email = $1 from r where a.phone = $2`;
  // An account whose number was recycled.
  await database.query(
    `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), null, now())`,
  );
  for (const [statement, values, refusal] of [
    [importUser, [malformed, null], "not E.164"],
    [importUser, [third, wrongEmail], "not valid"],
    [createAccount, [malformed, null], "E.164"],
    [createAccount, [taken, null], "has an account"],
    [createAccount, [third, wrongEmail], "email is not valid"],
    [givePhone, [taken, null], "account_phone_is_unique"],
    [givePhone, [malformed, null], "account_phone_is_e164"],
    [givePhone, [third, taken], "only to an account without one"],
    [changeEmail, [wrongEmail, taken], "account_email_is_normalized"],
  ] as const)
    await expect(database.query(statement, [...values]), `${statement} ${values.join()}`).rejects.toThrow(refusal);

  const key = Buffer.alloc(32);
  const registerBy = `api.register($1, $2, $3, 20, false, '192.0.2.1')`;
  const sendTo = `api.send_otp($1, $2, 'LOGIN', '192.0.2.1', $3, null)`;
  const signUpBy = `api.log_in_by_otp($1, $2, $3, '192.0.2.1', $4, null, null, null)`;
  const changePhone = `(select s.id, s.user_id from "user".session s where s.user_id is not null limit 1) s,
    api.request_phone_change(s.id, s.user_id, $1, $2, '192.0.2.1', $3, 'US')`;
  for (const [call, values] of [
    [registerBy, [malformed, null, key.toString("base64")]],
    [registerBy, [third, wrongEmail, key.toString("base64")]],
    [sendTo, [malformed, "PHONE", key]],
    [sendTo, [wrongEmail, "EMAIL", key]],
    [signUpBy, [third, otp, key, wrongEmail]],
    [changePhone, [malformed, key.toString("base64"), key]],
  ] as const)
    expect(await database.query(`select (error).code from ${call}`, [...values]), call).toEqual([
      { code: "INVALID_IDENTIFIER" },
    ]);

  await expect(database.query("select 'the log is read'::integer")).rejects.toThrow();
  const log = readFileSync((await shared("cluster")).log, "utf8");
  expect(log).toContain("the log is read");
  const personal = [taken, other, third, malformed, email, wrongEmail, goodPassword, wrongPassword, "$2a$"];
  // Codes as a whole, behind the time and the process id that begin a line.
  const codes = new RegExp(`\\] .*\\b(${otp}|${code})\\b`);
  const found = log.split("\n").filter((line) => personal.some((text) => line.includes(text)) || codes.test(line));
  expect(found).toEqual([]);
});
