import { expect } from "vitest";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { clearRateLimits } from "../../testing/service/people.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { test as baseTest, type User } from "../fixtures/email_fixtures.ts";
import { challengeOf, dataOf, totp } from "../fixtures/factor_fixtures.ts";

// A code by email and one by SMS, for one login: each is right, and both are typed at the same time.
const test = baseTest
  .extend("databaseOptions", { scope: "file" }, () => ({ lockTimeout: "60s" }))
  .extend("signInByEmail", { scope: "file" }, async ({ service, mailbox }) => {
    await service.set("EMAIL_SIGN_IN", "on");
    return mailbox;
  })
  .extend("codesOf", ({ service, client, gateway, signInByEmail, verifyEmail }) => async (user: User) => {
    const email = await verifyEmail(user);
    await gateway.next(user.phone);
    await clearRateLimits(service, user.phone);
    const input = { identifier: email, identifierType: "EMAIL", purpose: "LOGIN" };
    const [, otp] = await Promise.all([client.post("/otp/send", { input }), signInByEmail.nextCode(email)]);
    const [, sms] = await Promise.all([client.sendOtp(user.phone, "LOGIN"), gateway.nextCode(user.phone)]);
    return [
      { email, otp },
      { phone: user.phone, otp: sms },
    ];
  });

test("of a code by email and one by SMS, one makes the guest a user, and the other is not used up", async ({
  client,
  database,
  newUser,
  codesOf,
}) => {
  const codes = await codesOf(await newUser());
  const guest = tokensOf(await client.post("/auth/session/guest"));
  const lock = { text: `select from "user".session where id = $1 for update`, values: [guest.session_id] };
  const answers = await raceBehindLock(database, lock, 2, () =>
    Promise.all(codes.map((code) => client.post("/auth/login/otp", code, bearer(guest.access_token)))),
  );
  expect(answers.map(({ status, code }) => code ?? status).sort()).toEqual([200, "SESSION_REVOKED"]);
  const promoted = await database.query("select from platform.guest_promotion where guest_session_id = $1", [
    guest.session_id,
  ]);
  expect(promoted).toHaveLength(1);
  const refused = codes[answers.findIndex(({ status }) => status !== 200)];
  expect((await client.post("/auth/login/otp", refused)).status).toBe(200);
});

test("of the second steps that follow both codes, one makes the guest a user, and the other uses nothing up", async ({
  client,
  database,
  gateway,
  newUser,
  codesOf,
}) => {
  const user = await newUser();
  const codes = await codesOf(user);
  const header = bearer(user.access_token);
  const { factor_id, secret } = dataOf(await client.post("/auth/factors/totp", {}, header));
  const added = await client.post("/auth/factors/totp/verify", { factor_id, code: totp(secret) }, header);
  await gateway.next(user.phone);
  const [first = "", second = ""] = dataOf(added).recovery_codes;
  const guest = tokensOf(await client.post("/auth/session/guest"));
  const challenges: string[] = [];
  for (const code of codes)
    challenges.push(challengeOf(await client.post("/auth/login/otp", code, bearer(guest.access_token))));
  const steps = [first, second].map((recovery_code, index) => ({ challenge_id: challenges[index], recovery_code }));
  const lock = { text: `select from "user".session where id = $1 for update`, values: [guest.session_id] };
  const answers = await raceBehindLock(database, lock, 2, () =>
    Promise.all(steps.map((step) => client.post("/auth/login/factor", step))),
  );
  expect(answers.map(({ status, code }) => code ?? status).sort()).toEqual([200, "SESSION_REVOKED"]);
  const used = await database.query("select from private.recovery_code where used_at is not null");
  expect(used).toHaveLength(1);
});
