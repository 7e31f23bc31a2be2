import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Answer } from "../../testing/client.ts";
import { eventually } from "../../testing/eventually.ts";
import { goodPassword, newPhone, signUp } from "../../testing/people.ts";
import { startService, type Service } from "../../testing/service.ts";

let service: Service;
let known: string;
let unverified: string;
const unknown = newPhone();
beforeAll(async () => {
  service = await startService();
  known = (await signUp(service)).phone;
  unverified = newPhone();
  await service.client.post("/auth/register", { phone: unverified, password: goodPassword });
});
beforeEach(() => service.database.query("delete from platform.rate_limit"));
afterAll(() => service.stop());

const personal = ["timestamp", "duration", "userId", "otpId", "expiresAt"];

/** All that a stranger sees of an answer, ids, times and the like aside. */
function seen({ status, headers, body }: Answer) {
  const names = [...headers.keys()].sort();
  const text = JSON.stringify(body, (key, value: unknown) => (personal.includes(key) ? "…" : value));
  return { status, names, text };
}

/** The same request for a phone with an account, without one, and one whose registration is not verified. */
async function expectAlike(ask: (phone: string) => Promise<Answer>): Promise<Answer> {
  const answers = [await ask(known), await ask(unknown), await ask(unverified)];
  expect(seen(answers[1]!)).toEqual(seen(answers[0]!));
  expect(seen(answers[2]!)).toEqual(seen(answers[0]!));
  return answers[0]!;
}

test("a wrong password, an unknown phone and an unverified account are refused alike", async () => {
  const login = (phone: string, password: string) => service.client.post("/auth/login", { phone, password });
  expect((await expectAlike((phone) => login(phone, "a wrong one"))).status).toBe(401);
  expect((await login(unverified, goodPassword)).status).toBe(401);
});

test("registering answers alike, and stores nothing over an account", async () => {
  const password = "an intruder's password";
  expect(
    (await expectAlike((phone) => service.client.post("/auth/register", { phone, password }))).status,
  ).toBe(201);
  expect((await service.client.post("/auth/login", { phone: known, password })).status).toBe(401);
  expect((await service.client.post("/auth/login", { phone: known, password: goodPassword })).status).toBe(
    200,
  );
  await service.database.query(`delete from "user".account where phone = $1`, [unknown]);
});

test("sending a code answers alike, for every purpose", async () => {
  for (const purpose of ["LOGIN", "SIGNUP", "PASSWORD_RESET"]) {
    expect((await expectAlike((phone) => service.client.sendOtp(phone, purpose))).status).toBe(200);
  }
});

test("asking for a reset answers alike and leaves the same kind of record, but only an account gets an SMS", async () => {
  const before = service.gateway.received.length;
  await expectAlike((phone) => service.client.post("/auth/reset-password", { phone }));
  const settled = () =>
    service.database.query<{ identifier: string; delivery: string }>(
      `select identifier, delivery from platform.otp_transaction
       where not awaited and current_since is not null order by created_at`,
    );
  await eventually("the worker has dealt with all three", async () => (await settled()).length === 3);
  expect(await settled()).toEqual([
    { identifier: known, delivery: "sent" },
    { identifier: unknown, delivery: "dropped" },
    { identifier: unverified, delivery: "dropped" },
  ]);
  expect(service.gateway.received.slice(before).map(({ to }) => to)).toEqual([known]);
});

test("guessing a reset code answers alike until it is blocked, word by word", async () => {
  for (let guess = 0; guess < 7; guess++) {
    const answer = await expectAlike((phone) =>
      service.client.post(
        "/auth/reset-password/verify",
        { phone, otp: "000000", newPassword: goodPassword },
        { "x-forwarded-for": `10.0.0.${guess}` },
      ),
    );
    expect(answer.code).toBe(guess < 5 ? "INVALID_OTP" : "MAX_ATTEMPTS_REACHED");
  }
});

test("whether there is a code, how old it is and whether it was used shows to nobody who lacks it", async () => {
  const [live, expired, used, none] = [newPhone(), newPhone(), newPhone(), newPhone()];
  for (const phone of [live, expired, used])
    await Promise.all([service.client.sendOtp(phone), service.gateway.nextCode(phone)]);
  await service.database.query(
    `update platform.otp_transaction set expires_at = now() where identifier = $1`,
    [expired],
  );
  await service.database.query(
    `update platform.otp_transaction set verified_at = now() where identifier = $1`,
    [used],
  );
  const guesses = async (phone: string) => {
    const answers: Answer[] = [];
    for (let guess = 0; guess < 8; guess++) {
      const headers = { "x-forwarded-for": `10.1.0.${guess}` };
      answers.push(await service.client.post("/auth/register/verify", { phone, otp: "000000" }, headers));
    }
    return answers.map(seen);
  };
  const expected = await guesses(none);
  expect(expected.map(({ text }) => /[A-Z]+_[A-Z_]+/.exec(text)?.[0])).toEqual([
    ...Array<string>(5).fill("INVALID_OTP"),
    ...Array<string>(3).fill("MAX_ATTEMPTS_REACHED"),
  ]);
  for (const phone of [live, expired, used]) expect(await guesses(phone)).toEqual(expected);
});

test("the right code without an account is a wrong one", async () => {
  const phone = newPhone();
  const [, otp] = await Promise.all([service.client.sendOtp(phone), service.gateway.nextCode(phone)]);
  expect((await service.client.post("/auth/register/verify", { phone, otp })).code).toBe("INVALID_OTP");
});
