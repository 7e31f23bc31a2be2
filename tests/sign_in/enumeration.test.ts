import { hashSync } from "bcryptjs";
import { expect } from "vitest";
import { bearer, type Answer } from "../../testing/service/rest_client.ts";
import { eventually } from "../../testing/eventually.ts";
import { goodPassword, logIn, newPhone, signUp } from "../../testing/service/people.ts";
import { test } from "../../testing/fixtures.ts";
import { importUsers } from "../../testing/service/import_users.ts";

const known = newPhone();
const unverified = newPhone();
const unknown = newPhone();
const disabled = newPhone();
const imported = newPhone();
const deleted = newPhone();
/** Its account has a second factor. */
const enrolled = newPhone();
test.beforeAll(async ({ service, database }) => {
  await signUp(service, known);
  for (const phone of [disabled, deleted, enrolled]) await signUp(service, phone);
  await importUsers(database, [{ phone: imported, password_hash: hashSync(goodPassword, 4) }]);
  await database.query(`select "user".disable_account(id, 'spam') from "user".account where phone = $1`, [disabled]);
  await database.query(
    `insert into "user".factor (id, user_id, kind, sealed_secret, pepper_id, confirmed_at)
     select gen_random_uuid(), id, 'totp', '\\x00', 'none', now() from "user".account where phone = $1`,
    [enrolled],
  );
  await database.query(`update "user".account set deletion_due_at = now() where phone = $1`, [deleted]);
  await service.client.post("/auth/register", { phone: unverified, password: goodPassword });
});
test.beforeEach(({ database }) => database.query("delete from platform.rate_limit"));

const personal = ["timestamp", "duration", "userId", "otpId", "expiresAt"];

/** An answer as a client sees it, with ids and times replaced. */
function visibleParts({ status, headers, body }: Answer) {
  const names = [...headers.keys()].sort();
  const text = JSON.stringify(body, (key, value: unknown) => (personal.includes(key) ? "…" : value));
  return { status, names, text };
}

/**
 * Sends the same request for a phone with an account, with an imported one, with one that has a second factor, one with a second factor, without one, with an unverified
 * registration, and with an account that is disabled or whose deletion is due.
 */
async function expectAlike(request: (phone: string) => Promise<Answer>): Promise<Answer> {
  const answer = await request(known);
  for (const phone of [imported, enrolled, unknown, unverified, disabled, deleted])
    expect(visibleParts(await request(phone)), phone).toEqual(visibleParts(answer));
  return answer;
}

test("a wrong password, an unknown phone and an unverified account are refused in the same way", async ({ client }) => {
  const login = (phone: string, password: string) => client.post("/auth/login", { phone, password });
  expect((await expectAlike((phone) => login(phone, "a wrong one"))).status).toBe(401);
  for (const phone of [unverified, disabled, deleted]) expect((await login(phone, goodPassword)).status).toBe(401);
});

test("registering answers alike, and stores nothing over an account", async ({ client, database }) => {
  const password = "an intruder's password";
  expect((await expectAlike((phone) => client.post("/auth/register", { phone, password }))).status).toBe(201);
  expect((await client.post("/auth/login", { phone: known, password })).status).toBe(401);
  expect((await client.post("/auth/login", { phone: known, password: goodPassword })).status).toBe(200);
  await database.query(`delete from "user".account where phone = $1`, [unknown]);
});

test("sending a code answers alike, for every purpose", async ({ client }) => {
  for (const purpose of ["LOGIN", "SIGNUP", "PASSWORD_RESET"]) {
    expect((await expectAlike((phone) => client.sendOtp(phone, purpose))).status).toBe(200);
  }
});

test("asking for a reset answers alike and leaves the same kind of record, but only an account gets an SMS", async ({
  gateway,
  client,
  database,
}) => {
  const before = gateway.received.length;
  await expectAlike((phone) => client.post("/auth/reset-password", { phone }));
  const settled = () =>
    database.query<{ identifier: string; delivery: string }>(
      `select identifier, delivery from platform.otp_transaction
       where not awaited and current_since is not null and delivery <> 'sending' order by created_at`,
    );
  await eventually("the worker has processed all of them", async () => (await settled()).length === 7);
  expect(await settled()).toEqual([
    { identifier: known, delivery: "sent" },
    { identifier: imported, delivery: "sent" },
    { identifier: enrolled, delivery: "sent" },
    { identifier: unknown, delivery: "dropped" },
    { identifier: unverified, delivery: "dropped" },
    { identifier: disabled, delivery: "dropped" },
    { identifier: deleted, delivery: "dropped" },
  ]);
  // Two jobs at once: either may be the first.
  expect(
    gateway.received
      .slice(before)
      .map(({ to }) => to)
      .sort(),
  ).toEqual([known, imported, enrolled].sort());
});

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

test("a user who requests another phone gets the same answer whether or not somebody has it", async ({
  client,
  gateway,
  database,
  service,
}) => {
  const { access_token } = await logIn(service, await signUp(service));
  const ask = (newPhone: string) =>
    client.post("/auth/phone", { newPhone, password: goodPassword }, bearer(access_token));
  expect((await expectAlike(ask)).status).toBe(200);
  const wrongCode = gateway.unsentCode();
  const guess = (newPhone: string) =>
    client.post("/auth/phone/verify", { newPhone, otp: wrongCode }, bearer(access_token));
  expect((await expectAlike(guess)).code).toBe("INVALID_OTP");
  const records = await database.query(
    `select distinct to_jsonb(o) - array['id', 'identifier', 'code_hash', 'counted_at', 'created_at', 'expires_at', 'current_since'] as record
     from platform.otp_transaction o where purpose = 'PHONE_CHANGE'`,
  );
  expect(records, "and leaves the same kind of record").toHaveLength(1);
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
