import { expect } from "vitest";
import { goodPassword, newPhone } from "../../testing/service/people.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { newEmail, test as baseTest } from "../fixtures/email_fixtures.ts";

// docs/security.md says what a thief can do who has the mailbox alone, or the SIM alone.

const test = baseTest.extend("codeBy", ({ client, mailbox, gateway }) => async (name: string): Promise<string> => {
  const isEmail = name.includes("@");
  const input = { identifier: name, identifierType: isEmail ? "EMAIL" : "PHONE", purpose: "LOGIN" };
  const next = isEmail ? mailbox.nextCode(name) : gateway.nextCode(name);
  return (await Promise.all([next, client.post("/otp/send", { input })]))[0];
});
test.beforeEach(async ({ mailbox, database }) => {
  expect(mailbox).toBeDefined();
  await database.query("delete from platform.rate_limit");
});

test("a thief of the mailbox alone: nothing by default", async ({ client, newUser, verifyEmail, codeBy }) => {
  const email = await verifyEmail(await newUser());
  const otp = await codeBy(email);
  for (const path of ["/auth/login", "/auth/login/otp", "/auth/reset-password", "/auth/reset-password/verify"])
    expect((await client.post(path, { email, otp, password: goodPassword, newPassword: goodPassword })).status).toBe(
      404,
    );
  expect((await client.post("/auth/login/otp", { phone: newPhone(), otp })).code, "nor with a phone").toBe(
    "INVALID_OTP",
  );
});

test("a thief of the mailbox alone: with EMAIL_SIGN_IN the account, of which the old phone learns; without the password only after the delay", async ({
  service,
  client,
  gateway,
  mailbox,
  newUser,
  verifyEmail,
  codeBy,
}) => {
  await service.set("EMAIL_SIGN_IN", "on");
  await service.set("PHONE_RECOVERY_BY_EMAIL", "on");
  const owner = await newUser();
  const email = await verifyEmail(owner);
  await gateway.next(owner.phone);
  const thief = tokensOf(await client.post("/auth/login/otp", { email, otp: await codeBy(email) }));
  const change = async (phone: string, password?: string) => {
    const headers = bearer(thief.access_token);
    const [, otp] = await Promise.all([
      client.post("/auth/phone", { newPhone: phone, password }, headers),
      gateway.nextCode(phone),
    ]);
    return client.post("/auth/phone/verify", { newPhone: phone, otp }, headers);
  };
  expect((await change(newPhone())).body.data?.phone_change_due_at).toEqual(expect.any(String));
  expect((await gateway.next(owner.phone)).body).toMatch(/^Somebody who signed in by your email/);
  expect((await client.delete("/auth/phone/change", undefined, bearer(owner.access_token))).status).toBe(200);

  // A reset sets a password that the thief has: by it the phone changes at once, and the notice is what is left.
  await client.post("/auth/reset-password", { email });
  const otp = await mailbox.nextCode(email);
  const newPassword = "the password of a thief";
  await expect
    .poll(async () => (await client.post("/auth/reset-password/verify", { email, otp, newPassword })).status)
    .toBe(200);
  const again = tokensOf(await client.post("/auth/login", { email, password: newPassword }));
  thief.access_token = again.access_token;
  expect((await change(newPhone(), newPassword)).body.data).toEqual({ phone_change_due_at: null });
  expect((await gateway.next(owner.phone)).body).toMatch(/^Your account has another phone number now/);
  await service.set("PHONE_RECOVERY_BY_EMAIL", "off");
  await service.set("EMAIL_SIGN_IN", "off");
});

test("a thief of the SIM alone: the account, of which the verified email learns when the thief replaces it", async ({
  client,
  mailbox,
  gateway,
  newUser,
  verifyEmail,
  codeBy,
}) => {
  const owner = await newUser();
  const email = await verifyEmail(owner);
  await gateway.next(owner.phone);
  const thief = tokensOf(await client.post("/auth/login/otp", { phone: owner.phone, otp: await codeBy(owner.phone) }));
  const ofThief = newEmail();
  const [asked, otp] = await Promise.all([
    client.post("/auth/email", { newEmail: ofThief }, bearer(thief.access_token)),
    mailbox.nextCode(ofThief),
  ]);
  expect(asked.status).toBe(200);
  expect((await client.post("/auth/email/verify", { newEmail: ofThief, otp }, bearer(thief.access_token))).status).toBe(
    200,
  );
  expect(await mailbox.next(email)).toMatch(/^The email address of your account was added, changed or removed/);
  expect(
    (await client.post("/auth/phone", { newPhone: newPhone() }, bearer(thief.access_token))).code,
    "but no other phone without the password",
  ).toBe("MISSING_FIELDS");
});
