import { decodeJwt } from "jose";
import { expect } from "vitest";
import { bearer, tokensOf, type Answer } from "../../testing/service/rest_client.ts";
import { requestPasswordReset, signUp } from "../../testing/service/people.ts";
import { challengeOf, reasonOf, test, totp, wrongCode } from "../fixtures/factor_fixtures.ts";

test("a password and the code of an app sign in, in two steps", async ({ client, enrolled }) => {
  const { phone, password, secret } = enrolled;
  expect(reasonOf(await client.post("/auth/login", { phone, password: "a wrong one" }))).toEqual([
    401,
    "login_refused",
  ]);
  const first = await client.post("/auth/login", { phone, password, label: "Ada's laptop" });
  expect(first).toMatchObject({ status: 401, code: "INVALID_REQUEST" });
  expect(first.body.error?.details).toEqual({
    reason: "second_factor_required",
    challenge_id: expect.any(String) as string,
    factors: ["totp"],
    expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
  });
  const challenge_id = challengeOf(first);
  expect((await client.post("/auth/login/factor", { challenge_id, code: wrongCode(secret) })).code).toBe("INVALID_OTP");
  const second = await client.post("/auth/login/factor", { challenge_id, code: totp(secret) });
  expect(second.status).toBe(200);
  const { access_token } = tokensOf(second);
  expect(decodeJwt(access_token)).toMatchObject({ amr: ["pwd", "otp", "mfa"], acr: "aal2" });
  const list = await client.get("/auth/sessions", bearer(access_token));
  expect(list.body.data?.sessions).toMatchObject({ 0: { label: "Ada's laptop", current: true } });
  expect((await client.post("/auth/login/factor", { challenge_id, code: totp(secret, 1) })).code).toBe("INVALID_OTP");
});

test("a recovery code signs in once, typed in small letters with a blank", async ({ client, logInFirst, enrolled }) => {
  const [recoveryCode = ""] = enrolled.recoveryCodes;
  const answer = async () =>
    client.post("/auth/login/factor", {
      challenge_id: await logInFirst(enrolled),
      recovery_code: recoveryCode.toLowerCase().replace("-", " "),
    });
  const second = await answer();
  expect(decodeJwt(tokensOf(second).access_token)).toMatchObject({ acr: "aal2" });
  expect((await answer()).code).toBe("INVALID_OTP");
});

test("a LOGIN code is used up by the first step, and the guest becomes the user by the second", async ({
  client,
  gateway,
  enrolled,
}) => {
  const { phone, secret } = enrolled;
  const guest = tokensOf(await client.post("/auth/session/guest"));
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  const header = bearer(guest.access_token);
  const first = await client.post("/auth/login/otp", { phone, otp }, header);
  expect(reasonOf(first)).toEqual([401, "second_factor_required"]);
  expect((await client.post("/auth/login/otp", { phone, otp }, header)).code).toBe("OTP_ALREADY_USED");
  expect((await client.get("/auth/session", header)).status).toBe(200);
  const second = await client.post("/auth/login/factor", { challenge_id: challengeOf(first), code: totp(secret) });
  expect(second.body.data).toMatchObject({ promoted_session_id: guest.session_id, role: "user" });
  expect(decodeJwt(tokensOf(second).access_token)).toMatchObject({ amr: ["sms", "otp", "mfa"] });
  expect((await client.refresh(guest.refresh_token)).code).toBe("SESSION_REVOKED");
});

test("five wrong answers end a challenge, ten refuse the account's codes for a while, and a hundred lock them", async ({
  client,
  database,
  logInFirst,
  enrolled,
}) => {
  const guess = async (challenge_id: string, code: string): Promise<Answer> =>
    client.post("/auth/login/factor", { challenge_id, code });
  const wrong = wrongCode(enrolled.secret);
  const answers: (string | undefined)[] = [];
  const challenge = await logInFirst(enrolled);
  for (let index = 0; index < 5; index++) answers.push((await guess(challenge, wrong)).code);
  answers.push((await guess(challenge, totp(enrolled.secret))).code);
  expect(answers).toEqual([...Array<string>(5).fill("INVALID_OTP"), "MAX_ATTEMPTS_REACHED"]);
  const next = await logInFirst(enrolled);
  for (let index = 0; index < 5; index++) await guess(next, wrong);
  const limited = await guess(await logInFirst(enrolled), totp(enrolled.secret));
  expect([limited.code, limited.body.error?.details?.policy]).toEqual([
    "RATE_LIMIT_EXCEEDED",
    "FACTOR_FAILURES_PER_USER",
  ]);
  await database.query("delete from platform.rate_limit");
  await database.query(`update "user".account set factor_failures = 100 where phone = $1`, [enrolled.phone]);
  expect((await guess(await logInFirst(enrolled), totp(enrolled.secret))).code).toBe("MAX_ATTEMPTS_REACHED");
});

test("a new password ends the sign-ins under way, and leaves the factors", async ({
  service,
  client,
  logInFirst,
  enrolled,
}) => {
  const { phone, secret } = enrolled;
  const challenge_id = await logInFirst(enrolled);
  const otp = await requestPasswordReset(service, phone);
  const password = "another good password";
  await client.post("/auth/reset-password/verify", { phone, otp, newPassword: password });
  expect((await client.post("/auth/login/factor", { challenge_id, code: totp(secret) })).code).toBe("INVALID_OTP");
  expect(reasonOf(await client.post("/auth/login", { phone, password }))).toEqual([401, "second_factor_required"]);
});

test("a deleted account is restored by the second step, not by the first", async ({
  client,
  database,
  logInFirst,
  enrolled,
}) => {
  const due = () =>
    database.query<{ deletion_due_at: Date | null }>(`select deletion_due_at from "user".account where phone = $1`, [
      enrolled.phone,
    ]);
  await database.query(`select private.schedule_deletion(id) from "user".account where phone = $1`, [enrolled.phone]);
  const challenge_id = await logInFirst(enrolled);
  expect((await due())[0]?.deletion_due_at).not.toBeNull();
  const second = await client.post("/auth/login/factor", { challenge_id, code: totp(enrolled.secret) });
  expect(second.body.data).toMatchObject({ restored: true });
  expect((await due())[0]?.deletion_due_at).toBeNull();
});

test("exactly one of code and recovery_code is asked for, in its form", async ({ client, logInFirst, enrolled }) => {
  const challenge_id = await logInFirst(enrolled);
  const answer = async (fields: object) => (await client.post("/auth/login/factor", { challenge_id, ...fields })).code;
  expect(await answer({})).toBe("MISSING_FIELDS");
  expect(await answer({ code: "123456", recovery_code: "0123456789" })).toBe("INVALID_REQUEST");
  expect(await answer({ code: "1234567" })).toBe("INVALID_OTP_FORMAT");
  expect(await answer({ recovery_code: "01234" })).toBe("INVALID_OTP_FORMAT");
  expect((await client.post("/auth/login/factor", { challenge_id: "none", code: "123456" })).code).toBe(
    "INVALID_REQUEST",
  );
});

test("while SECOND_FACTOR is off nobody is asked, and what exists is kept", async ({ service, client, enrolled }) => {
  const { phone, password } = enrolled;
  await service.set("SECOND_FACTOR", "off");
  const login = await client.post("/auth/login", { phone, password });
  expect(login.status).toBe(200);
  const header = bearer(tokensOf(login).access_token);
  expect((await client.get("/auth/factors", header)).body.data?.factors).toHaveLength(1);
  expect(reasonOf(await client.post("/auth/factors/totp", {}, header))).toEqual([404, "not_enabled"]);
  await service.set("SECOND_FACTOR", "optional");
  expect(reasonOf(await client.post("/auth/login", { phone, password }))).toEqual([401, "second_factor_required"]);
});

test("an account without a factor signs in as before", async ({ service, client }) => {
  expect((await client.post("/auth/login", { ...(await signUp(service)) })).status).toBe(200);
});
