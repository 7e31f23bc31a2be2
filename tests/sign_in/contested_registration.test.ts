import { decodeJwt } from "jose";
import { expect } from "vitest";
import { headers, owner, stranger, test, userIdOf, type Registrant } from "../fixtures/registration_fixtures.ts";
import { requestPasswordReset, newPhone } from "../../testing/service/people.ts";

test.for([
  ["before the owner", [stranger, owner]],
  ["after the owner", [owner, stranger]],
  ["twice, around the owner", [stranger, owner, stranger]],
  ["between two tries of the owner", [owner, stranger, owner]],
  ["so often that the owner's registration is no longer kept", [owner, ...Array<Registrant>(6).fill(stranger)]],
] as [string, Registrant[]][])(
  "a stranger who registers %s cannot set a password",
  async ([_when, order], { service, client, register, logsIn, verify }) => {
    const phone = newPhone();
    for (const who of order) await register(phone, who);
    const verified = await verify(phone);
    expect(verified.status, "the phone is verified and a session is opened nevertheless").toBe(200);
    expect(await logsIn(phone, stranger)).toBe(false);
    expect(await logsIn(phone, owner), "neither is the owner's: a reset sets it").toBe(false);

    const otp = await requestPasswordReset(service, phone, owner.headers);
    const reset = await client.post(
      "/auth/reset-password/verify",
      { phone, otp, newPassword: owner.password },
      owner.headers,
    );
    expect(reset.status).toBe(200);
    expect(await logsIn(phone, owner)).toBe(true);
  },
);

test("registering again with the same password, from any client, is no contest", async ({
  register,
  logsIn,
  verify,
}) => {
  const phone = newPhone();
  await register(phone, owner);
  await register(phone, { ...owner, headers: { "x-forwarded-for": "10.0.0.2" } });
  await verify(phone);
  expect(await logsIn(phone, owner)).toBe(true);
});

test("a client that gives its userId back gets its own registration, whatever a stranger does", async ({
  register,
  logsIn,
  verify,
}) => {
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

test("a userId that belongs to no registration of the phone is answered like a wrong code", async ({
  client,
  register,
  codeFor,
  verify,
}) => {
  const phone = newPhone();
  await register(phone, owner);
  const elsewhere = userIdOf(await register(newPhone(), owner));
  expect((await verify(phone, elsewhere)).code).toBe("INVALID_OTP");
  const otp = await codeFor(phone);
  expect(
    (await client.post("/auth/register/verify", { phone, otp, userId: "no uuid" }, headers)).body.error,
  ).toMatchObject({ code: "INVALID_REQUEST", details: { field: "userId", reason: "invalid" } });
  expect((await client.post("/auth/register/verify", { phone, otp }, headers)).status).toBe(200);
});

test("a registration ends after a day, and still contests another password", async ({
  database,
  register,
  logsIn,
  verify,
}) => {
  const phone = newPhone();
  await register(phone, owner);
  await database.query(
    "update private.pending_registration set registered_at = registered_at - interval '24 hours' where phone = $1",
    [phone],
  );
  expect((await verify(phone)).code).toBe("INVALID_OTP");
  await register(phone, stranger);
  await database.query("delete from platform.rate_limit");
  expect((await verify(phone)).status).toBe(200);
  expect(await logsIn(phone, stranger), "the owner may come back on the day after").toBe(false);
});
