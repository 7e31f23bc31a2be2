import { afterAll, beforeAll, expect, test } from "vitest";
import { askForReset, newPhone } from "../../testing/people.ts";
import { startService, type Service } from "../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const owner = { password: "the owner's password", headers: { "x-forwarded-for": "10.0.0.1" } };
const stranger = { password: "the stranger's password", headers: { "x-forwarded-for": "10.0.0.2" } };

const register = (phone: string, { password, headers }: typeof owner) =>
  service.client.post("/auth/register", { phone, password }, headers);
const logsIn = async (phone: string, { password, headers }: typeof owner) =>
  (await service.client.post("/auth/login", { phone, password }, headers)).status === 200;
const verify = async (phone: string) => {
  const [, otp] = await Promise.all([
    service.client.sendOtp(phone, "SIGNUP", owner.headers),
    service.gateway.nextCode(phone),
  ]);
  return service.client.post("/auth/register/verify", { phone, otp }, owner.headers);
};

test.each([
  ["before the owner", [stranger, owner]],
  ["after the owner", [owner, stranger]],
  ["twice, around the owner", [stranger, owner, stranger]],
  ["between two tries of the owner", [owner, stranger, owner]],
])("a stranger who registers %s gets no password in", async (_when, order) => {
  const phone = newPhone();
  for (const who of order) await register(phone, who);
  const verified = await verify(phone);
  expect(verified.status, "the phone is confirmed and a session opened all the same").toBe(200);
  expect(await logsIn(phone, stranger)).toBe(false);
  expect(await logsIn(phone, owner), "neither is the owner's: a reset sets it").toBe(false);

  const otp = await askForReset(service, phone, owner.headers);
  const reset = await service.client.post(
    "/auth/reset-password/verify",
    { phone, otp, newPassword: owner.password },
    owner.headers,
  );
  expect(reset.status).toBe(200);
  expect(await logsIn(phone, owner)).toBe(true);
});

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

test("the same password from elsewhere, or another from the same client, is no contest", async () => {
  const [moved, retyped] = [newPhone(), newPhone()];
  await register(moved, owner);
  await register(moved, { ...owner, headers: stranger.headers });
  await verify(moved);
  expect(await logsIn(moved, owner)).toBe(true);

  await register(retyped, { ...owner, password: "a first thought" });
  await register(retyped, owner);
  await verify(retyped);
  expect(await logsIn(retyped, owner)).toBe(true);
});

test("a registration ends after a day", async () => {
  const phone = newPhone();
  await register(phone, owner);
  await service.database.query(
    `update "user".account set created_at = created_at - interval '24 hours' where phone = $1`,
    [phone],
  );
  expect((await verify(phone)).code).toBe("INVALID_OTP");
  await register(phone, stranger);
  await service.database.query("delete from platform.rate_limit");
  expect((await verify(phone)).status, "and contests no later one").toBe(200);
  expect(await logsIn(phone, stranger)).toBe(true);
});
