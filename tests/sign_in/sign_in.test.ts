import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { requestPasswordReset, goodPassword, logIn, newPhone, signUp } from "../../testing/service/people.ts";
import { test } from "../../testing/fixtures.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("a guest gets a session without credentials", async ({ client }) => {
  const { status, headers, body } = await client.post("/auth/session/guest");
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(body.data).toEqual({
    session_id: expect.stringMatching(uuid) as string,
    access_token: expect.any(String) as string,
    refresh_token: expect.any(String) as string,
    expires_at: expect.stringMatching(isoTime) as string,
    user_type: "guest",
  });
  expect(body.meta).toMatchObject({
    message: expect.any(String) as string,
    timestamp: expect.stringMatching(isoTime) as string,
  });
  expect(new Date(String(body.data?.expires_at)).getTime() - Date.now()).toBeGreaterThan(3_590_000);
});

test("a person registers, verifies the phone by SMS, logs in, refreshes and logs out", async ({ client, gateway }) => {
  const phone = newPhone();

  const registered = await client.post("/auth/register", {
    phone,
    password: goodPassword,
    email: "Someone@Example.com",
  });
  expect(registered.status).toBe(201);
  expect(registered.body.data).toEqual({ userId: expect.stringMatching(uuid) as string });

  const sent = await client.sendOtp(phone);
  expect(sent.status).toBe(200);
  expect(sent.body.data).toEqual({
    message: expect.any(String) as string,
    otpId: expect.stringMatching(uuid) as string,
    expiresAt: expect.stringMatching(isoTime) as string,
  });
  const sms = await gateway.next();
  expect(sms).toMatchObject({ to: phone, id: sent.body.data?.otpId });
  expect(sms.body).toMatch(/^[0-9]{6} is your code for 5 minutes\.$/);

  const otp = sms.body.slice(0, 6);
  const verified = await client.post("/auth/register/verify", { phone, otp });
  expect(verified.status).toBe(200);
  expect(verified.body.data).toEqual({
    insert_user_session_one: {
      id: expect.stringMatching(uuid) as string,
      access_token: expect.any(String) as string,
      refresh_token: expect.any(String) as string,
      access_token_expires_at: expect.stringMatching(isoTime) as string,
      refresh_token_expires_at: expect.stringMatching(isoTime) as string,
    },
  });

  const login = await client.post("/auth/login", { phone, password: goodPassword });
  expect(login.status).toBe(200);
  expect(login.body.data).toEqual({
    session_id: expect.stringMatching(uuid) as string,
    access_token: expect.any(String) as string,
    refresh_token: expect.any(String) as string,
    role: "user",
  });

  const refreshed = await client.refresh(tokensOf(login).refresh_token);
  expect(refreshed.status).toBe(200);
  expect(refreshed.body.data).toMatchObject({ session_id: tokensOf(login).session_id, user_type: "user" });
  expect(tokensOf(refreshed).refresh_token).not.toBe(tokensOf(login).refresh_token);

  const { access_token } = tokensOf(refreshed);
  const out = await client.post("/auth/logout", undefined, bearer(access_token));
  expect(out.status).toBe(200);
  expect(Object.keys(out.body)).toEqual(["meta"]);
  expect(await client.post("/auth/logout", undefined, bearer(access_token))).toMatchObject({
    status: 401,
    code: "SESSION_REVOKED",
  });
  expect(await client.refresh(tokensOf(refreshed).refresh_token)).toMatchObject({
    status: 401,
    code: "SESSION_REVOKED",
  });
});

test("logging out ends the current session only", async ({ service, client }) => {
  const person = await signUp(service);
  const [first, second] = [await logIn(service, person), await logIn(service, person)];
  await client.post("/auth/logout", undefined, bearer(first.access_token));
  expect((await client.refresh(second.refresh_token)).status).toBe(200);
});

test("a reset by SMS sets the password and ends every session", async ({ client, service }) => {
  const person = await signUp(service);
  const before = await logIn(service, person);

  const otp = await requestPasswordReset(service, person.phone);
  const newPassword = "another fine password";
  const reset = await client.post("/auth/reset-password/verify", { phone: person.phone, otp, newPassword });
  expect(reset.status).toBe(200);
  expect(Object.keys(reset.body)).toEqual(["meta"]);

  expect((await client.refresh(before.refresh_token)).code).toBe("SESSION_REVOKED");
  expect((await client.post("/auth/login", person)).status).toBe(401);
  expect((await client.post("/auth/login", { phone: person.phone, password: newPassword })).status).toBe(200);
});

test("health shows status, uptime, environment and version", async ({ client }) => {
  const { status, body } = await client.get("/health");
  expect(status).toBe(200);
  expect(body.data).toEqual({
    status: "ok",
    uptime: expect.any(Number) as number,
    environment: "test",
    version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
  });
  expect(body.meta.duration).toEqual(expect.any(Number));
});
