import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { goodPassword, newPhone, signUp } from "../../testing/service/people.ts";
import { bearer, tokensOf, type Answer } from "../../testing/service/rest_client.ts";
import { visibleParts } from "../../testing/service/visible_parts.ts";
import { newEmail, test as baseTest } from "../fixtures/email_fixtures.ts";

const known = newEmail();
const unknown = newEmail();
/** Stored at an account that has not verified it. */
const unverified = newEmail();
const disabled = newEmail();
const deleted = newEmail();
/** Its account has a second factor. */
const enrolled = newEmail();

const test = baseTest.extend(
  "signInByEmail",
  { scope: "file" },
  async ({ service, database, mailbox: { recipients } }) => {
    expect(recipients).toEqual([]);
    for (const key of ["EMAIL_SIGN_IN", "PHONE_RECOVERY_BY_EMAIL"]) await service.set(key, "on");
    for (const email of [known, unverified, disabled, deleted, enrolled]) {
      const { phone } = await signUp(service);
      await database.query(
        `update "user".account
         set email = $2, email_verified_at = case when $2 <> $3 then now() end,
             disabled_at = case when $2 = $4 then now() end, disabled_reason = case when $2 = $4 then 'spam' end,
             deletion_due_at = case when $2 = $5 then now() end
         where phone = $1`,
        [phone, email, unverified, disabled, deleted],
      );
    }
    await database.query(
      `insert into "user".factor (id, user_id, kind, sealed_secret, pepper_id, confirmed_at)
       select gen_random_uuid(), id, 'totp', '\\x00', 'none', now() from "user".account where email = $1`,
      [enrolled],
    );
  },
);
test.beforeEach(async ({ signInByEmail, database }) => {
  expect(signInByEmail).toBeUndefined();
  await database.query("delete from platform.rate_limit");
});

/** Sends the same request for an email of every kind of account, and of none. */
async function expectAlike(request: (email: string) => Promise<Answer>): Promise<Answer> {
  const answer = await request(known);
  for (const email of [enrolled, unknown, unverified, disabled, deleted])
    expect(visibleParts(await request(email)), email).toEqual(visibleParts(answer));
  return answer;
}

test("a wrong password is refused in the same way, and the right one where nobody has verified the email", async ({
  client,
}) => {
  const login = (email: string, password: string) => client.post("/auth/login", { email, password });
  expect((await expectAlike((email) => login(email, "a wrong one"))).status).toBe(401);
  for (const email of [unknown, unverified, disabled, deleted])
    expect((await login(email, goodPassword)).status, email).toBe(401);
});

test("asking for a reset answers alike, and only an account gets a mail", async ({ client, database, mailbox }) => {
  const before = mailbox.recipients.length;
  await expectAlike((email) => client.post("/auth/reset-password", { email }));
  const settled = () =>
    database.query(
      `select from platform.otp_transaction
       where purpose = 'PASSWORD_RESET' and identifier_type = 'EMAIL' and current_since is not null and delivery <> 'sending'`,
    );
  await eventually("the worker has processed all of them", async () => (await settled()).length === 6);
  // Two jobs at once: either may be the first.
  expect(mailbox.recipients.slice(before).sort()).toEqual([known, enrolled].sort());
});

test("guessing a code answers alike until it is blocked, word by word", async ({ client, gateway }) => {
  const otp = gateway.unsentCode();
  for (let guess = 0; guess < 7; guess++) {
    const headers = { "x-forwarded-for": `10.3.0.${guess}` };
    const reset = await expectAlike((email) =>
      client.post("/auth/reset-password/verify", { email, otp, newPassword: goodPassword }, headers),
    );
    const login = await expectAlike((email) => client.post("/auth/login/otp", { email, otp }, headers));
    const code = guess < 5 ? "INVALID_OTP" : "MAX_ATTEMPTS_REACHED";
    expect([reset.code, login.code]).toEqual([code, code]);
  }
});

test("sending a LOGIN code answers alike; the right one opens no account that has not verified the email", async ({
  client,
  database,
  mailbox,
}) => {
  // Guesses of the test above would block it.
  await database.query("delete from private.guess_count");
  const input = (email: string) => ({ identifier: email, identifierType: "EMAIL", purpose: "LOGIN" });
  expect((await expectAlike((email) => client.post("/otp/send", { input: input(email) }))).status).toBe(200);
  const answers: Answer[] = [];
  for (const email of [unknown, unverified, disabled, deleted])
    answers.push(await client.post("/auth/login/otp", { email, otp: await mailbox.nextCode(email) }));
  expect(answers[0]?.code).toBe("INVALID_OTP");
  expect(answers.map(visibleParts)).toEqual(answers.map(() => visibleParts(answers[0]!)));
});

test("a user who requests another email, or recovers the phone by one, is not told whether somebody has it", async ({
  client,
  gateway,
  mailbox,
  newUser,
  verifyEmail,
}) => {
  const user = await newUser();
  const header = bearer(user.access_token);
  const change = (email: string) => client.post("/auth/email", { newEmail: email, password: goodPassword }, header);
  expect((await expectAlike(change)).status).toBe(200);
  const otp = gateway.unsentCode();
  const verify = (email: string) => client.post("/auth/email/verify", { newEmail: email, otp }, header);
  expect((await expectAlike(verify)).code).toBe("INVALID_OTP");

  const email = await verifyEmail(user);
  const input = { identifier: email, identifierType: "EMAIL", purpose: "LOGIN" };
  const [, code] = await Promise.all([client.post("/otp/send", { input }), mailbox.nextCode(email)]);
  const recovering = bearer(tokensOf(await client.post("/auth/login/otp", { email, otp: code })).access_token);
  const { phone: taken } = await newUser();
  const ask = (phone: string) => client.post("/auth/phone", { newPhone: phone }, recovering);
  const asked = await ask(taken);
  expect(asked.status).toBe(200);
  expect(visibleParts(await ask(newPhone()))).toEqual(visibleParts(asked));
});
