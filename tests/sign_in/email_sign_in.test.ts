import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { goodPassword } from "../../testing/service/people.ts";
import { bearer, tokensOf, type Answer } from "../../testing/service/rest_client.ts";
import { newEmail, test as baseTest } from "../fixtures/email_fixtures.ts";

const unknown = newEmail();
const unverified = newEmail();
const test = baseTest
  .extend("signInByEmail", { scope: "file" }, async ({ service, mailbox }) => {
    await service.set("EMAIL_SIGN_IN", "on");
    return mailbox;
  })
  .extend("sendLoginCode", ({ client, mailbox }) => async (email: string): Promise<string> => {
    const input = { identifier: email, identifierType: "EMAIL", purpose: "LOGIN" };
    const [, otp] = await Promise.all([client.post("/otp/send", { input }), mailbox.nextCode(email)]);
    return otp;
  });
test.beforeEach(async ({ signInByEmail, database }) => {
  expect(signInByEmail).toBeDefined();
  await database.query("delete from platform.rate_limit");
});

test("a verified email signs in by password and by code, and resets the password", async ({
  client,
  mailbox,
  newUser,
  verifyEmail,
  sendLoginCode,
}) => {
  const user = await newUser();
  const email = await verifyEmail(user);
  expect((await client.post("/auth/login", { email, password: goodPassword })).status).toBe(200);

  const entered = await client.post("/auth/login/otp", { email, otp: await sendLoginCode(email), label: "by email" });
  expect(entered).toMatchObject({ status: 200, body: { data: { created: false } } });
  const { access_token, session_id } = tokensOf(entered);
  const claims = JSON.parse(Buffer.from(access_token.split(".")[1] ?? "", "base64url").toString()) as { amr: string[] };
  expect(claims.amr).toEqual(["otp"]);
  const sessions = await client.get("/auth/sessions", bearer(access_token));
  expect(sessions.body.data).toMatchObject({ sessions: [{ session_id, label: "by email" }, {}, {}, {}] });

  expect((await client.post("/auth/reset-password", { email })).status).toBe(200);
  const otp = await mailbox.nextCode(email);
  const newPassword = "another good password";
  await eventually("the code is valid", async () => {
    const { status } = await client.post("/auth/reset-password/verify", { email, otp, newPassword });
    return status === 200;
  });
  expect((await client.post("/auth/login", { email, password: newPassword })).status).toBe(200);
  expect((await client.post("/auth/login", { phone: user.phone, password: newPassword })).status).toBe(200);
});

test("a phone and an email at login by code sign up by the phone, and are refused elsewhere", async ({
  client,
  newUser,
  verifyEmail,
}) => {
  const { phone } = await newUser();
  const email = await verifyEmail(await newUser());
  const twice = { phone, email, password: goodPassword, otp: "123456", newPassword: goodPassword };
  for (const path of ["/auth/login", "/auth/reset-password", "/auth/reset-password/verify"])
    expect(await client.post(path, twice), path).toMatchObject({
      status: 400,
      code: "INVALID_REQUEST",
      body: { error: { details: { field: "email" } } },
    });
  expect((await client.post("/auth/login/otp", twice)).code).toBe("INVALID_OTP");
  for (const path of ["/auth/login", "/auth/login/otp", "/auth/reset-password", "/auth/reset-password/verify"])
    expect(await client.post(path, {}), path).toMatchObject({
      code: "MISSING_FIELDS",
      body: { error: { details: { fields: expect.arrayContaining(["phone"]) as string[] } } },
    });
});

test("an address that nobody has verified is answered like one that somebody has, until the code or the password is right", async ({
  client,
  database,
  mailbox,
  gateway,
  newUser,
  verifyEmail,
}) => {
  const known = await verifyEmail(await newUser());
  const [disabled, deleted, typed] = [await newUser(), await newUser(), await newUser()];
  const [ofDisabled, ofDeleted] = [await verifyEmail(disabled), await verifyEmail(deleted)];
  await database.query(`select "user".disable_account(id, 'spam') from "user".account where phone = $1`, [
    disabled.phone,
  ]);
  await database.query(`update "user".account set deletion_due_at = now() where phone = $1`, [deleted.phone]);
  await database.query(`update "user".account set email = $2 where phone = $1`, [typed.phone, unverified]);
  await database.query("delete from platform.rate_limit");
  const shape = ({ status, headers, body }: Answer) => {
    const text = JSON.stringify(body, (key, value: unknown) =>
      ["timestamp", "duration", "otpId", "expiresAt"].includes(key) ? "…" : value,
    );
    return { status, names: [...headers.keys()].sort(), text };
  };
  const expectAlike = async (request: (email: string) => Promise<Answer>) => {
    const answer = await request(known);
    for (const email of [unknown, unverified, ofDisabled, ofDeleted])
      expect(shape(await request(email)), email).toEqual(shape(answer));
    return answer;
  };
  expect((await expectAlike((email) => client.post("/auth/login", { email, password: "a wrong one" }))).status).toBe(
    401,
  );
  for (const email of [unknown, unverified, ofDisabled, ofDeleted])
    expect((await client.post("/auth/login", { email, password: goodPassword })).status, email).toBe(401);
  const before = mailbox.recipients.length;
  await expectAlike((email) => client.post("/auth/reset-password", { email }));
  const settled = () =>
    database.query<{ identifier: string; delivery: string }>(
      `select identifier, delivery from platform.otp_transaction
       where purpose = 'PASSWORD_RESET' and identifier_type = 'EMAIL' and current_since is not null and delivery <> 'sending' and identifier = any ($1)`,
      [[known, unknown, unverified, ofDisabled, ofDeleted]],
    );
  await eventually("the worker has processed all of them", async () => (await settled()).length === 5);
  expect(mailbox.recipients.slice(before)).toEqual([known]);
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

test("failed logins are counted for the account, by whichever name", async ({
  service,
  client,
  newUser,
  verifyEmail,
}) => {
  await service.set("LOGIN_FAILURES_PER_PHONE_AND_IP", "4/900");
  const user = await newUser();
  const email = await verifyEmail(user);
  const password = "a wrong one";
  for (const name of [{ email }, { phone: user.phone }, { email }, { phone: user.phone }])
    expect((await client.post("/auth/login", { ...name, password })).status).toBe(401);
  for (const name of [{ email }, { phone: user.phone }])
    expect((await client.post("/auth/login", { ...name, password: goodPassword })).code).toBe("RATE_LIMIT_EXCEEDED");
  await service.set("LOGIN_FAILURES_PER_PHONE_AND_IP", "10/900");
});

test("while EMAIL_SIGN_IN is off, an email in these bodies is 404 not_enabled", async ({ service, client }) => {
  await service.set("EMAIL_SIGN_IN", "off");
  const body = { email: newEmail(), password: goodPassword, otp: "123456", newPassword: goodPassword };
  for (const path of ["/auth/login", "/auth/login/otp", "/auth/reset-password", "/auth/reset-password/verify"])
    expect(await client.post(path, body), path).toMatchObject({
      status: 404,
      body: { error: { details: { reason: "not_enabled" } } },
    });
  await service.set("EMAIL_SIGN_IN", "on");
});
