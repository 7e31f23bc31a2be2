import { decodeJwt } from "jose";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "../../testing/client.ts";
import { eventually } from "../../testing/eventually.ts";
import { requestPasswordReset, newPhone } from "../../testing/people.ts";
import { startService, type Service } from "../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

// All clients have the same address, as behind an undeclared proxy: the rule must not depend on addresses.
const headers = { "x-forwarded-for": "10.0.0.1" };
const owner = { password: "the owner's password", headers };
const stranger = { password: "the stranger's password", headers };

const register = (phone: string, { password, headers }: typeof owner) =>
  service.client.post("/auth/register", { phone, password }, headers);
const logsIn = async (phone: string, { password, headers }: typeof owner) =>
  (await service.client.post("/auth/login", { phone, password }, headers)).status === 200;
const userIdOf = ({ body }: Answer) => String(body.data?.userId);
const codeFor = async (phone: string) => {
  const [, otp] = await Promise.all([
    service.client.sendOtp(phone, "SIGNUP", headers),
    service.gateway.nextCode(phone),
  ]);
  return otp;
};
const verify = async (phone: string, userId?: string) => {
  const otp = await codeFor(phone);
  return service.client.post("/auth/register/verify", { phone, otp, userId }, headers);
};

test.each([
  ["before the owner", [stranger, owner]],
  ["after the owner", [owner, stranger]],
  ["twice, around the owner", [stranger, owner, stranger]],
  ["between two tries of the owner", [owner, stranger, owner]],
  [
    "so often that the owner's registration is no longer kept",
    [owner, ...Array<typeof owner>(6).fill(stranger)],
  ],
] as [string, (typeof owner)[]][])(
  "a stranger who registers %s gets no password in",
  async (_when, order) => {
    const phone = newPhone();
    for (const who of order) await register(phone, who);
    const verified = await verify(phone);
    expect(verified.status, "the phone is verified and a session is opened nevertheless").toBe(200);
    expect(await logsIn(phone, stranger)).toBe(false);
    expect(await logsIn(phone, owner), "neither is the owner's: a reset sets it").toBe(false);

    const otp = await requestPasswordReset(service, phone, owner.headers);
    const reset = await service.client.post(
      "/auth/reset-password/verify",
      { phone, otp, newPassword: owner.password },
      owner.headers,
    );
    expect(reset.status).toBe(200);
    expect(await logsIn(phone, owner)).toBe(true);
  },
);

test("a stranger who registers while the owner verifies gets no password in", async () => {
  const phone = newPhone();
  await register(phone, owner);
  const [verified] = await Promise.all([
    verify(phone),
    ...Array.from({ length: 4 }, () => register(phone, stranger)),
  ]);
  expect(verified.status).toBe(200);
  expect(await logsIn(phone, stranger)).toBe(false);
});

test("both at once for the first time leave no password", async () => {
  const phone = newPhone();
  await Promise.all([register(phone, owner), register(phone, stranger)]);
  await verify(phone);
  expect(await logsIn(phone, stranger)).toBe(false);
});

test("registering again with the same password, from wherever, is no contest", async () => {
  const phone = newPhone();
  await register(phone, owner);
  await register(phone, { ...owner, headers: { "x-forwarded-for": "10.0.0.2" } });
  await verify(phone);
  expect(await logsIn(phone, owner)).toBe(true);
});

test("a client that gives its userId back gets its own registration, whatever a stranger does", async () => {
  const phone = newPhone();
  const userId = userIdOf(await register(phone, owner));
  for (let times = 0; times < 4; times++) await register(phone, stranger);
  const verified = await verify(phone, userId);
  expect(verified.status).toBe(200);
  const { access_token } = verified.body.data?.insert_user_session_one as { access_token: string };
  expect(decodeJwt(access_token).sub).toBe(userId);
  expect(await logsIn(phone, owner)).toBe(true);
  expect(await logsIn(phone, stranger)).toBe(false);
});

test("a userId that is none of the phone's registrations is answered like a wrong code", async () => {
  const phone = newPhone();
  await register(phone, owner);
  const elsewhere = userIdOf(await register(newPhone(), owner));
  expect((await verify(phone, elsewhere)).code).toBe("INVALID_OTP");
  const otp = await codeFor(phone);
  expect(
    (await service.client.post("/auth/register/verify", { phone, otp, userId: "no uuid" }, headers)).body
      .error,
  ).toMatchObject({ code: "INVALID_REQUEST", details: { field: "userId", reason: "invalid" } });
  expect((await service.client.post("/auth/register/verify", { phone, otp }, headers)).status).toBe(200);
});

test("20 registrations of one phone at once, with one password, leave one account that works", async () => {
  const phone = newPhone();
  const answers = await Promise.all(Array.from({ length: 20 }, () => register(phone, owner)));
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(1);
  expect((await verify(phone)).status).toBe(200);
  expect(await logsIn(phone, owner)).toBe(true);
});

test("a registration ends after a day, and still contests another password", async () => {
  const phone = newPhone();
  await register(phone, owner);
  await service.database.query(
    "update private.pending_registration set registered_at = registered_at - interval '24 hours' where phone = $1",
    [phone],
  );
  expect((await verify(phone)).code).toBe("INVALID_OTP");
  await register(phone, stranger);
  await service.database.query("delete from platform.rate_limit");
  expect((await verify(phone)).status).toBe(200);
  expect(await logsIn(phone, stranger), "the owner may come back on the day after").toBe(false);
});

test("registrations of one phone are stored one after another, so that each sees the others", async () => {
  const phone = newPhone();
  const call = (password: string) => ({
    text: "select (error).code from api.register($1, null, encode(sha256($2), 'base64'), 8, false, '10.0.0.9')",
    values: [phone, password],
  });
  // A registration that is stored but not committed, as by another process at the same moment.
  const other = new pg.Client({ connectionString: service.database.superuserUrl });
  await other.connect();
  await other.query("begin");
  await other.query(call(owner.password));
  const registering = register(phone, stranger);
  await eventually("the other registration waits", async () => {
    const waiting = await service.database.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return waiting.length > 0;
  });
  await other.query("commit");
  await other.end();
  await registering;
  expect((await verify(phone)).status).toBe(200);
  expect(await logsIn(phone, stranger)).toBe(false);
});
