import { decodeJwt } from "jose";
import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { clearRateLimits, newPhone, signUp } from "../../testing/service/people.ts";

const test = baseTest.extend("codeFor", ({ client, gateway }) => async (phone: string) => {
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  return otp;
});

test("a LOGIN code signs in once, and the tokens name the method", async ({ service, client, codeFor }) => {
  const { phone } = await signUp(service);
  const otp = await codeFor(phone);
  const login = await client.post("/auth/login/otp", { phone, otp, label: "Ada's phone" });
  expect(login.status).toBe(200);
  const { access_token, refresh_token } = tokensOf(login);
  const claims = decodeJwt(access_token);
  expect(claims).toMatchObject({ role: "user", amr: ["sms"] });
  expect(claims.auth_time).toBeTypeOf("number");
  expect((await client.refresh(refresh_token)).status).toBe(200);
  expect((await client.post("/auth/login/otp", { phone, otp })).code).toBe("OTP_ALREADY_USED");
});

test("a guest who logs in by code becomes the user", async ({ service, client, codeFor }) => {
  const { phone } = await signUp(service);
  const guest = tokensOf(await client.post("/auth/session/guest"));
  const otp = await codeFor(phone);
  const login = await client.post("/auth/login/otp", { phone, otp }, bearer(guest.access_token));
  expect(login.body.data).toMatchObject({ promoted_session_id: guest.session_id, role: "user" });
  expect((await client.refresh(guest.refresh_token)).code).toBe("SESSION_REVOKED");
});

test("a user's token, or a forged one, is refused before the code is compared", async ({
  service,
  client,
  codeFor,
}) => {
  const { phone } = await signUp(service);
  const first = tokensOf(await client.post("/auth/login/otp", { phone, otp: await codeFor(phone) }));
  const otp = await codeFor(phone);
  const login = (token: string) => client.post("/auth/login/otp", { phone, otp }, bearer(token));
  expect((await login(first.access_token)).code).toBe("SESSION_MISMATCH");
  expect((await login("a.b.c")).code).toBe("SESSION_NOT_FOUND");
  expect((await client.post("/auth/login/otp", { phone, otp })).status).toBe(200);
});

test("a code that a newer one replaced says so, costs no attempt and opens nothing", async ({
  service,
  client,
  codeFor,
}) => {
  const { phone } = await signUp(service);
  const earlier = await codeFor(phone);
  const newest = await codeFor(phone);
  const login = (otp: string, from = "10.0.1.1") =>
    client.post("/auth/login/otp", { phone, otp }, { "x-forwarded-for": from });
  for (let index = 0; index < 6; index++)
    expect(await login(earlier, `10.0.1.${index}`)).toMatchObject({
      status: 400,
      code: "INVALID_OTP",
      body: { error: { details: { reason: "replaced" } } },
    });
  expect((await login(newest)).status).toBe(200);
});

test("while SIGNUP_BY_CODE is off, the right code for a phone without an account costs an attempt, and then blocks like any guess", async ({
  service,
  client,
  codeFor,
}) => {
  await service.set("SIGNUP_BY_CODE", "off");
  const phone = newPhone();
  const otp = await codeFor(phone);
  const answers: (string | undefined)[] = [];
  for (let index = 0; index < 6; index++)
    answers.push((await client.post("/auth/login/otp", { phone, otp }, { "x-forwarded-for": `10.0.0.${index}` })).code);
  expect(answers).toEqual([...Array<string>(5).fill("INVALID_OTP"), "MAX_ATTEMPTS_REACHED"]);
  await service.set("SIGNUP_BY_CODE", "on");
});

test("while LOGIN_BY_OTP is off there is neither the route nor its SMS", async ({ service, client, gateway }) => {
  const { phone } = await signUp(service);
  await service.set("LOGIN_BY_OTP", "off");
  const sent = gateway.received.length;
  const refused = {
    status: 404,
    code: "INVALID_REQUEST",
    body: { error: { details: { reason: "not_enabled" } } },
  };
  expect(await client.sendOtp(phone, "LOGIN")).toMatchObject(refused);
  expect(await client.post("/auth/login/otp", { phone, otp: "123456" })).toMatchObject(refused);
  await clearRateLimits(service, phone);
  expect((await client.sendOtp(phone, "SIGNUP")).status).toBe(200);
  expect(gateway.received.length).toBe(sent + 1);
  await service.set("LOGIN_BY_OTP", "on");
  expect((await client.sendOtp(phone, "LOGIN")).status).toBe(200);
});
