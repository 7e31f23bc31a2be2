import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { goodPassword } from "../../testing/service/people.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { newEmail, test as baseTest } from "../fixtures/email_fixtures.ts";

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
