import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { goodPassword, logIn, newPhone, signUp } from "../../testing/service/people.ts";
import { bearer, type Answer } from "../../testing/service/rest_client.ts";
import { visibleParts } from "../../testing/service/visible_parts.ts";
import {
  deleted,
  disabled,
  enrolled,
  expectAlike,
  imported,
  known,
  test,
  unknown,
  unverified,
} from "../fixtures/enumeration_fixtures.ts";

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

/** Also what begins a send or an account says the same while only invited phones get one. */
test("while only invited phones may register, every answer is alike, also for an invited one", async ({
  service,
  client,
  gateway,
  database,
}) => {
  await service.set("REGISTRATION", "invited");
  const invited = newPhone();
  await database.query('select "user".invite($1, null, null, false)', [invited]);
  const otp = gateway.unsentCode();
  const newPassword = "an intruder's password";
  const requests: [status: number, request: (phone: string) => Promise<Answer>][] = [
    [201, (phone) => client.post("/auth/register", { phone, password: newPassword })],
    [401, (phone) => client.post("/auth/login", { phone, password: "a wrong one" })],
    [200, (phone) => client.sendOtp(phone, "SIGNUP")],
    [200, (phone) => client.sendOtp(phone, "LOGIN")],
    [200, (phone) => client.post("/auth/reset-password", { phone })],
    [400, (phone) => client.post("/auth/register/verify", { phone, otp })],
    [400, (phone) => client.post("/auth/login/otp", { phone, otp })],
    [400, (phone) => client.post("/auth/reset-password/verify", { phone, otp, newPassword })],
  ];
  for (const [status, request] of requests) {
    const answer = await expectAlike(request);
    expect(answer.status).toBe(status);
    expect(visibleParts(await request(invited))).toEqual(visibleParts(answer));
  }
  await service.set("REGISTRATION", "open");
});
