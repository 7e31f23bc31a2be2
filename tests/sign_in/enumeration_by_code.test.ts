import { expect } from "vitest";
import { goodPassword, newPhone } from "../../testing/service/people.ts";
import type { Answer } from "../../testing/service/rest_client.ts";
import { visibleParts } from "../../testing/service/visible_parts.ts";
import { deleted, disabled, expectAlike, test, unverified } from "../fixtures/enumeration_fixtures.ts";

test("guessing a reset code answers alike until it is blocked, word by word", async ({ client, gateway }) => {
  const wrongCode = gateway.unsentCode();
  for (let guess = 0; guess < 7; guess++) {
    const answer = await expectAlike((phone) =>
      client.post(
        "/auth/reset-password/verify",
        { phone, otp: wrongCode, newPassword: goodPassword },
        { "x-forwarded-for": `10.0.0.${guess}` },
      ),
    );
    expect(answer.code).toBe(guess < 5 ? "INVALID_OTP" : "MAX_ATTEMPTS_REACHED");
  }
});

test("guessing a LOGIN code answers alike until it is blocked, word by word", async ({ client, gateway }) => {
  const wrongCode = gateway.unsentCode();
  for (let guess = 0; guess < 7; guess++) {
    const headers = { "x-forwarded-for": `10.2.0.${guess}` };
    const answer = await expectAlike((phone) => client.post("/auth/login/otp", { phone, otp: wrongCode }, headers));
    expect(answer.code).toBe(guess < 5 ? "INVALID_OTP" : "MAX_ATTEMPTS_REACHED");
  }
});

test("nobody without the code can find out whether there is one, how old it is and whether it was used", async ({
  client,
  gateway,
  database,
}) => {
  const [live, expired, used, none] = [newPhone(), newPhone(), newPhone(), newPhone()];
  for (const phone of [live, expired, used]) await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  await database.query(`update platform.otp_transaction set expires_at = now() where identifier = $1`, [expired]);
  await database.query(`update platform.otp_transaction set verified_at = now() where identifier = $1`, [used]);
  const wrongCode = gateway.unsentCode();
  const guesses = async (phone: string) => {
    const answers: Answer[] = [];
    for (let guess = 0; guess < 8; guess++) {
      const headers = { "x-forwarded-for": `10.1.0.${guess}` };
      answers.push(await client.post("/auth/register/verify", { phone, otp: wrongCode }, headers));
    }
    return answers.map(visibleParts);
  };
  const expected = await guesses(none);
  expect(expected.map(({ text }) => /[A-Z]+_[A-Z_]+/.exec(text)?.[0])).toEqual([
    ...Array<string>(5).fill("INVALID_OTP"),
    ...Array<string>(3).fill("MAX_ATTEMPTS_REACHED"),
  ]);
  for (const phone of [live, expired, used]) expect(await guesses(phone)).toEqual(expected);
});

test("the right code without a registration, or with a disabled account, is a wrong one", async ({
  client,
  gateway,
}) => {
  const answers: Answer[] = [];
  for (const phone of [newPhone(), disabled]) {
    const [, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
    answers.push(await client.post("/auth/register/verify", { phone, otp }));
  }
  expect(answers[0]?.code).toBe("INVALID_OTP");
  expect(answers.map(visibleParts)).toEqual(Array(2).fill(visibleParts(answers[0]!)));
});

test("the right LOGIN code that opens no account is a wrong one", async ({ service, client, gateway }) => {
  const logIn = async (phone: string) => {
    await client.sendOtp(phone, "LOGIN");
    // The newest: tests above have left SMS unread.
    const otp = /[0-9]{6}/.exec(gateway.received.findLast(({ to }) => to === phone)!.body)![0];
    return visibleParts(await client.post("/auth/login/otp", { phone, otp }));
  };
  await service.set("SIGNUP_BY_CODE", "off");
  const refused = await logIn(newPhone());
  await service.set("SIGNUP_BY_CODE", "on");
  expect(refused.text).toContain("INVALID_OTP");
  for (const phone of [disabled, deleted]) expect(await logIn(phone), phone).toEqual(refused);
});

test("only the right LOGIN code tells that a client has opened as many accounts as it may", async ({
  service,
  client,
  gateway,
  database,
}) => {
  // Guesses of the tests above would block these.
  await database.query("delete from platform.otp_transaction");
  await database.query("delete from private.guess_count");
  await service.set("REGISTER_PER_IP", "1/3600");
  const headers = { "x-forwarded-for": "10.4.0.1" };
  await client.post("/auth/register", { phone: unverified, password: goodPassword }, headers);
  const phone = newPhone();
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  const wrongCode = gateway.unsentCode();
  const logIn = (phone: string, code: string) => client.post("/auth/login/otp", { phone, otp: code }, headers);
  const guess = await expectAlike((other) => logIn(other, wrongCode));
  expect(guess.code).toBe("INVALID_OTP");
  expect(visibleParts(await logIn(phone, wrongCode))).toEqual(visibleParts(guess));
  const limited = await logIn(phone, otp);
  expect(limited).toMatchObject({ status: 429, body: { error: { details: { policy: "REGISTER_PER_IP" } } } });
  await service.set("REGISTER_PER_IP", "20/3600");
  const signedUp = await logIn(phone, otp);
  expect(signedUp, "the code is still good").toMatchObject({
    status: 200,
    body: { data: { created: true } },
  });
});
