import { expect } from "vitest";
import { goodPassword, newPhone, requestPasswordReset } from "../../testing/service/people.ts";
import { bearer, tokensOf, type Answer } from "../../testing/service/rest_client.ts";
import { test as baseTest, type User } from "../fixtures/email_fixtures.ts";
import { challengeOf, enrol, reasonOf, totp, wrongCode, type Enrolled } from "../fixtures/factor_fixtures.ts";

// docs/security.md says what a thief can do who has the password alone, and what a second factor keeps from a thief of
// the password, of the SIM or of the mailbox.

interface Owner extends Enrolled {
  email: string;
}

const test = baseTest
  .extend("owner", async ({ service, newUser, verifyEmail }): Promise<Owner> => {
    const user: User = await newUser();
    const email = await verifyEmail(user);
    await service.gateway.next(user.phone);
    return { ...(await enrol(service, user)), email };
  })
  /** What a thief must not change: the account's sessions and factors. */
  .extend("stateOf", ({ database }) => async ({ phone }: Owner) => {
    const [state] = await database.query<{ sessions: string[]; factors: string[] }>(
      `select array(select id::text from "user".session where user_id = a.id order by id) as sessions,
              array(select id::text from "user".factor where user_id = a.id) as factors
       from "user".account a where a.phone = $1`,
      [phone],
    );
    return state;
  })
  /** A first step that was right: it answers with a challenge alone, which nothing but the factor answers. */
  .extend("expectStopped", ({ client }) => async (owner: Owner, first: Answer): Promise<void> => {
    expect(reasonOf(first)).toEqual([401, "second_factor_required"]);
    expect(first.body.data).toBeUndefined();
    const challenge_id = challengeOf(first);
    const guess = { challenge_id, code: wrongCode(owner.secret) };
    expect((await client.post("/auth/login/factor", guess)).code).toBe("INVALID_OTP");
    const header = bearer(challenge_id);
    expect((await client.delete(`/auth/factors/${owner.factorId}`, undefined, header)).status).toBe(401);
  })
  .extend("codeTo", ({ client, mailbox, gateway }) => async (name: string): Promise<string> => {
    const isEmail = name.includes("@");
    const input = { identifier: name, identifierType: isEmail ? "EMAIL" : "PHONE", purpose: "LOGIN" };
    const next = isEmail ? mailbox.nextCode(name) : gateway.nextCode(name);
    return (await Promise.all([next, client.post("/otp/send", { input })]))[0];
  })
  .extend("signInWithFactor", ({ client }) => async ({ secret }: Owner, first: object): Promise<Answer> => {
    const challenge_id = challengeOf(await client.post("/auth/login/otp", first));
    return client.post("/auth/login/factor", { challenge_id, code: totp(secret) });
  });
test.beforeEach(async ({ mailbox, database }) => {
  expect(mailbox).toBeDefined();
  await database.query("delete from platform.rate_limit");
});

test("a thief of the password alone: the account, of whose new phone the old one learns", async ({
  client,
  gateway,
  newUser,
}) => {
  const { phone, password } = await newUser();
  const thief = bearer(tokensOf(await client.post("/auth/login", { phone, password })).access_token);
  const newPhoneOfThief = newPhone();
  const [, otp] = await Promise.all([
    client.post("/auth/phone", { newPhone: newPhoneOfThief, password }, thief),
    gateway.nextCode(newPhoneOfThief),
  ]);
  expect((await client.post("/auth/phone/verify", { newPhone: newPhoneOfThief, otp }, thief)).status).toBe(200);
  expect((await gateway.next(phone)).body).toMatch(/^Your account has another phone number now/);
});

test("a thief of the password alone: no session and no factor, where there is a second factor", async ({
  client,
  owner,
  stateOf,
  expectStopped,
}) => {
  const before = await stateOf(owner);
  await expectStopped(owner, await client.post("/auth/login", { phone: owner.phone, password: owner.password }));
  expect(await stateOf(owner)).toEqual(before);
  expect((await client.get("/auth/session", bearer(owner.tokens.access_token))).status, "nor the owner's").toBe(200);
});

test("a thief of the SIM alone: with a second factor a new password, which opens nothing", async ({
  service,
  client,
  owner,
  stateOf,
  expectStopped,
  codeTo,
  signInWithFactor,
}) => {
  const { phone } = owner;
  const before = await stateOf(owner);
  await expectStopped(owner, await client.post("/auth/login/otp", { phone, otp: await codeTo(phone) }));

  const resetCode = await requestPasswordReset(service, phone);
  const password = "the password of a thief";
  const reset = { phone, otp: resetCode, newPassword: password };
  expect((await client.post("/auth/reset-password/verify", reset)).status).toBe(200);
  await expectStopped(owner, await client.post("/auth/login", { phone, password }));
  expect(await stateOf(owner)).toEqual(before);

  // The reset has ended the owner's sessions, and the owner comes back by the email and the factor.
  expect((await client.get("/auth/session", bearer(owner.tokens.access_token))).status).toBe(401);
  await service.set("EMAIL_SIGN_IN", "on");
  const { status } = await signInWithFactor(owner, { email: owner.email, otp: await codeTo(owner.email) });
  expect(status).toBe(200);
  await service.set("EMAIL_SIGN_IN", "off");
});

test("a thief of the mailbox alone: with a second factor a new password, which opens nothing", async ({
  service,
  client,
  mailbox,
  owner,
  stateOf,
  expectStopped,
  codeTo,
  signInWithFactor,
}) => {
  await service.set("EMAIL_SIGN_IN", "on");
  await service.set("PHONE_RECOVERY_BY_EMAIL", "on");
  const { email } = owner;
  const before = await stateOf(owner);
  await expectStopped(owner, await client.post("/auth/login/otp", { email, otp: await codeTo(email) }));

  await client.post("/auth/reset-password", { email });
  const reset = { email, otp: await mailbox.nextCode(email), newPassword: goodPassword + " of a thief" };
  // The mail arrives before the worker has recorded it.
  await expect.poll(async () => (await client.post("/auth/reset-password/verify", reset)).status).toBe(200);
  await expectStopped(owner, await client.post("/auth/login", { email, password: reset.newPassword }));
  expect(await stateOf(owner)).toEqual(before);
  expect((await client.get("/auth/session", bearer(owner.tokens.access_token))).status).toBe(401);
  const { status } = await signInWithFactor(owner, { phone: owner.phone, otp: await codeTo(owner.phone) });
  expect(status).toBe(200);
  await service.set("PHONE_RECOVERY_BY_EMAIL", "off");
  await service.set("EMAIL_SIGN_IN", "off");
});
