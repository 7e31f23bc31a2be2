import { expect } from "vitest";
import { goodPassword, newPhone } from "../../testing/service/people.ts";
import { bearer, tokensOf, type Tokens } from "../../testing/service/rest_client.ts";
import { test as baseTest, type User } from "../fixtures/email_fixtures.ts";

const test = baseTest
  .extend("recovery", { scope: "file" }, async ({ service, mailbox }) => {
    await service.set("EMAIL_SIGN_IN", "on");
    await service.set("PHONE_RECOVERY_BY_EMAIL", "on");
    return mailbox;
  })
  /** Signs in by a code by email. */
  .extend("signIn", ({ client, mailbox }) => async (email: string): Promise<Tokens> => {
    const input = { identifier: email, identifierType: "EMAIL", purpose: "LOGIN" };
    const [, otp] = await Promise.all([client.post("/otp/send", { input }), mailbox.nextCode(email)]);
    return tokensOf(await client.post("/auth/login/otp", { email, otp }));
  })
  /** Asks for a phone without the password, and types its code. */
  .extend("recover", ({ client, gateway }) => async ({ access_token }: Tokens, phone: string) => {
    const [asked, otp] = await Promise.all([
      client.post("/auth/phone", { newPhone: phone }, bearer(access_token)),
      gateway.nextCode(phone),
    ]);
    expect(asked.status).toBe(200);
    return client.post("/auth/phone/verify", { newPhone: phone, otp }, bearer(access_token));
  })
  .extend("someone", ({ newUser, verifyEmail, gateway }) => async (): Promise<User & { email: string }> => {
    const user = await newUser();
    const email = await verifyEmail(user);
    await gateway.next(user.phone);
    return { ...user, email };
  });
test.beforeEach(async ({ recovery, database }) => {
  expect(recovery).toBeDefined();
  await database.query("delete from platform.rate_limit");
});

test("whoever has lost phone and password changes the phone by the email, after a delay of which the old phone and all sessions learn", async ({
  client,
  database,
  gateway,
  someone,
  signIn,
  recover,
}) => {
  const user = await someone();
  const session = await signIn(user.email);
  const phone = newPhone();
  const verified = await recover(session, phone);
  expect(verified.status).toBe(200);
  const due = String(verified.body.data?.phone_change_due_at);
  expect(new Date(due).getTime() - Date.now()).toBeGreaterThan(259_000_000);
  expect((await gateway.next(user.phone)).body).toMatch(/^Somebody who signed in by your email/);
  for (const { access_token } of [user, session])
    expect((await client.get("/auth/session", bearer(access_token))).body.data).toMatchObject({
      phone: user.phone,
      phone_change_due_at: due,
    });
  const exported = await client.get("/auth/account/export", bearer(user.access_token));
  expect(exported.body.data).toMatchObject({ account: { phone_change: { phone, due_at: due } } });
  expect((await client.post("/auth/login", { phone: user.phone, password: goodPassword })).status).toBe(200);

  await database.query("update private.phone_recovery set due_at = now() where phone = $1", [phone]);
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  const entered = await client.post("/auth/login/otp", { phone, otp });
  expect(entered.body.data, "the first sign-in applies it, and opens no second account").toMatchObject({
    created: false,
  });
  expect((await client.get("/auth/session", bearer(tokensOf(entered).access_token))).body.data).toMatchObject({
    phone,
    phone_change_due_at: null,
  });
  expect((await client.get("/auth/session", bearer(session.access_token))).status, "the session that asked stays").toBe(
    200,
  );
  expect((await client.get("/auth/session", bearer(user.access_token))).code).toBe("SESSION_REVOKED");
  expect((await client.post("/auth/login", { phone: user.phone, password: goodPassword })).status).toBe(401);
  expect((await gateway.next(user.phone)).body).toMatch(/^Your account has another phone number now/);
});

test("any session stops it, and no code that was asked for without the password changes the phone at once", async ({
  client,
  database,
  gateway,
  someone,
  signIn,
  recover,
}) => {
  const user = await someone();
  const thief = await signIn(user.email);
  await recover(thief, newPhone());
  expect((await client.delete("/auth/phone/change", undefined, bearer(user.access_token))).status).toBe(200);
  const me = async () => (await client.get("/auth/session", bearer(user.access_token))).body.data;
  expect(await me()).toMatchObject({ phone: user.phone, phone_change_due_at: null });

  const phone = newPhone();
  const [, otp] = await Promise.all([
    client.post("/auth/phone", { newPhone: phone }, bearer(thief.access_token)),
    gateway.nextCode(phone),
  ]);
  await client.delete("/auth/phone/change", undefined, bearer(user.access_token));
  await client.post("/auth/phone/verify", { newPhone: phone, otp }, bearer(thief.access_token));
  expect(await me()).toMatchObject({ phone: user.phone, phone_change_due_at: expect.any(String) as string });
  await database.query("delete from platform.rate_limit");
  expect((await client.delete("/auth/phone/change", undefined, bearer(user.access_token))).status).toBe(200);
});

test("the password is needed by a session that no code by email opened, or more than ten minutes ago, and while the setting is off", async ({
  service,
  client,
  database,
  someone,
  signIn,
}) => {
  const user = await someone();
  const ask = ({ access_token }: Tokens) => client.post("/auth/phone", { newPhone: newPhone() }, bearer(access_token));
  const refused = { status: 403, body: { error: { details: { reason: "recent_sign_in_required" } } } };
  expect(await ask(user)).toMatchObject(refused);
  const session = await signIn(user.email);
  await database.query(`update "user".session set authenticated_at = now() - interval '10 minutes' where id = $1`, [
    session.session_id,
  ]);
  expect(await ask(session)).toMatchObject(refused);
  await service.set("PHONE_RECOVERY_BY_EMAIL", "off");
  expect(await ask(await signIn(user.email))).toMatchObject({
    code: "MISSING_FIELDS",
    body: { error: { details: { fields: ["password"] } } },
  });
  await service.set("PHONE_RECOVERY_BY_EMAIL", "on");
});

test("without a delay the phone changes at once", async ({ service, client, someone, signIn, recover }) => {
  await service.set("RECOVERY_DELAY_SECONDS", 0);
  const user = await someone();
  const session = await signIn(user.email);
  const phone = newPhone();
  expect((await recover(session, phone)).body.data).toEqual({ phone_change_due_at: null });
  expect((await client.get("/auth/session", bearer(session.access_token))).body.data).toMatchObject({ phone });
  expect((await client.get("/auth/session", bearer(user.access_token))).code).toBe("SESSION_REVOKED");
  await service.set("RECOVERY_DELAY_SECONDS", 259_200);
});
