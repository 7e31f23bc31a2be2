import { expect } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";
import { otherCode } from "../../testing/service/other_code.ts";
import { goodPassword, logIn, newPhone, signUp } from "../../testing/service/people.ts";
import { bearer } from "../../testing/service/rest_client.ts";

const code = "424242";
const inFuture = () => new Date(Date.now() + 3_600_000).toISOString();

const test = baseTest.extend("testNumber", ({ service }) => async (until = inFuture()): Promise<string> => {
  const phone = newPhone();
  await service.set("OTP_TEST_NUMBERS", { [phone]: { code, until } });
  return phone;
});
test.afterEach(({ service }) => service.set("OTP_TEST_NUMBERS", {}));

test("a person with a test number registers, resets the password and logs in, and no SMS is sent", async ({
  client,
  gateway,
  database,
  testNumber,
}) => {
  const phone = await testNumber();
  await client.post("/auth/register", { phone, password: goodPassword });
  const sent = await client.sendOtp(phone);
  expect(sent.status).toBe(200);
  expect(sent.body.data).toEqual({
    message: "One-time password sent.",
    otpId: expect.any(String) as string,
    expiresAt: expect.any(String) as string,
  });
  expect(await client.post("/auth/register/verify", { phone, otp: code })).toMatchObject({ status: 200 });
  expect(await client.post("/auth/register/verify", { phone, otp: code })).toMatchObject({
    code: "OTP_ALREADY_USED",
  });

  expect(await client.post("/auth/reset-password", { phone })).toMatchObject({ status: 200 });
  const newPassword = "another good password";
  expect(await client.post("/auth/reset-password/verify", { phone, otp: code, newPassword })).toMatchObject({
    status: 200,
  });
  expect(await client.post("/auth/login", { phone, password: newPassword })).toMatchObject({ status: 200 });

  expect(gateway.received.filter(({ to }) => to === phone)).toEqual([]);
  const rows = await database.query(
    "select id, delivery, purpose, code_hash is not null as hashed from platform.otp_transaction where identifier = $1 order by id",
    [phone],
  );
  expect(rows).toEqual([
    { id: sent.body.data?.otpId, delivery: "test", purpose: "SIGNUP", hashed: true },
    { id: expect.any(String) as string, delivery: "test", purpose: "PASSWORD_RESET", hashed: true },
  ]);
});

test("the limits of a phone do not apply to a test number; that of the client and guesses per code do", async ({
  client,
  database,
  service,
  testNumber,
}) => {
  await service.set("OTP_VERIFY_PER_IP", "3/900");
  const phone = await testNumber();
  for (let index = 0; index < 5; index++) expect((await client.sendOtp(phone)).status).toBe(200);
  const guess = (otp: string) => client.post("/auth/register/verify", { phone, otp });
  for (let index = 0; index < 5; index++) expect((await guess("000000")).code).toBe("INVALID_OTP");
  expect((await guess(code)).code).toBe("MAX_ATTEMPTS_REACHED");
  await client.sendOtp(phone);
  // No registration: the right code of an unknown phone.
  expect((await guess(code)).code).toBe("INVALID_OTP");
  await service.set("OTP_VERIFY_PER_IP", "1000/1");
  await service.set("OTP_SEND_PER_IP", "1/3600");
  expect(await client.sendOtp(phone)).toMatchObject({
    status: 429,
    body: { error: { details: { policy: "OTP_SEND_PER_IP" } } },
  });
  await service.set("OTP_SEND_PER_IP", "1000/1");
  const rows = await database.query(
    "select purpose from platform.otp_transaction where identifier = $1 order by purpose",
    [phone],
  );
  expect(rows, "a row for each purpose").toEqual([{ purpose: "SIGNUP" }]);
});

test("a fixed code opens no account that a code confirmed which was sent, by no route", async ({
  service,
  client,
  gateway,
}) => {
  const { phone, password } = await signUp(service);
  const caller = bearer((await logIn(service, { phone, password })).access_token);
  const list = (number: string) => service.set("OTP_TEST_NUMBERS", { [number]: { code, until: inFuture() } });
  await list(phone);
  for (const purpose of ["LOGIN", "SIGNUP"]) expect((await client.sendOtp(phone, purpose)).status).toBe(200);
  expect((await client.post("/auth/reset-password", { phone })).status).toBe(200);
  const bodies: [string, object][] = [
    ["/auth/login/otp", { phone, otp: code }],
    ["/auth/register/verify", { phone, otp: code }],
    ["/auth/reset-password/verify", { phone, otp: code, newPassword: "another good password" }],
  ];
  for (const [route, body] of bodies) expect((await client.post(route, body)).code, route).toBe("INVALID_OTP");
  expect((await client.delete("/auth/account", { otp: code }, caller)).code).toBe("INVALID_OTP");

  const other = newPhone();
  await list(other);
  expect((await client.post("/auth/phone", { newPhone: other, password }, caller)).status).toBe(200);
  expect((await client.post("/auth/phone/verify", { newPhone: other, otp: code }, caller)).code).toBe("INVALID_OTP");
  expect(gateway.received.filter(({ to }) => to === other || to === phone).length, "its registration").toBe(1);
});

test("a test number's code expires", async ({ client, database, testNumber }) => {
  const phone = await testNumber();
  await client.post("/auth/register", { phone, password: goodPassword });
  await client.sendOtp(phone);
  await database.query("update platform.otp_transaction set expires_at = now() where identifier = $1", [phone]);
  expect((await client.post("/auth/register/verify", { phone, otp: code })).code).toBe("OTP_EXPIRED");
});

test("once its time is over it is a phone like any other", async ({ client, gateway, testNumber }) => {
  const phone = await testNumber(new Date(Date.now() - 1_000).toISOString());
  await client.post("/auth/register", { phone, password: goodPassword });
  const [answer, otp] = await Promise.all([client.sendOtp(phone), gateway.nextCode(phone)]);
  expect(answer.status).toBe(200);
  expect((await client.post("/auth/register/verify", { phone, otp: code === otp ? otherCode(code) : code })).code).toBe(
    "INVALID_OTP",
  );
});

test("answers do not reveal a test number: body and headers are those of any phone", async ({
  client,
  gateway,
  testNumber,
}) => {
  const [phone, other] = [await testNumber(), newPhone()];
  const [toTest, [toOther]] = await Promise.all([
    client.sendOtp(phone),
    Promise.all([client.sendOtp(other), gateway.next(other)]),
  ]);
  expect(Object.keys(toTest.body.data ?? {})).toEqual(Object.keys(toOther.body.data ?? {}));
  expect(toTest.status).toBe(toOther.status);
  expect([...toTest.headers.keys()]).toEqual([...toOther.headers.keys()]);
  const [resetTest, resetOther] = [
    await client.post("/auth/reset-password", { phone }),
    await client.post("/auth/reset-password", { phone: newPhone() }),
  ];
  expect(resetTest.body.data).toEqual(resetOther.body.data);
  expect(resetTest.body.meta.message).toBe(resetOther.body.meta.message);
});

test("a number that was sent to without a limit is never sent an SMS once it is no test number", async ({
  client,
  gateway,
  service,
  database,
  testNumber,
}) => {
  const phone = await testNumber();
  for (let index = 0; index < 10; index++) await client.sendOtp(phone);
  await client.post("/auth/reset-password", { phone });
  await service.set("OTP_TEST_NUMBERS", {});
  expect(
    await database.query(
      `select from graphile_worker._private_jobs j
       join platform.otp_transaction o on o.id = (j.payload ->> 'otp_id')::uuid where o.identifier = $1`,
      [phone],
    ),
  ).toEqual([]);
  expect(gateway.received.filter(({ to }) => to === phone)).toEqual([]);
});

test("in production test numbers are refused and ignored, unless they are turned on there", async ({
  startOtherService,
}) => {
  const { client, gateway, database, set } = await startOtherService();
  const phone = newPhone();
  const numbers = { [phone]: { code, until: inFuture() } };
  await set("OTP_TEST_NUMBERS", numbers);
  await database.query("update private.installation set production = true");
  await expect(set("OTP_TEST_NUMBERS", numbers)).rejects.toThrow(
    "OTP_TEST_NUMBERS: must be empty in production, unless OTP_TEST_NUMBERS_IN_PRODUCTION is on",
  );
  await Promise.all([client.sendOtp(phone), gateway.next(phone)]);
  await set("OTP_TEST_NUMBERS_IN_PRODUCTION", "on");
  expect((await client.sendOtp(phone)).status).toBe(200);
  const rows = await database.query<{ delivery: string }>(
    "select delivery from platform.otp_transaction where identifier = $1 order by id",
    [phone],
  );
  expect(rows.map(({ delivery }) => delivery)).toEqual(["sent", "test"]);
});
