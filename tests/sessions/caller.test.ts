import { decodeJwt } from "jose";
import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { goodPassword, logIn, newPhone } from "../../testing/service/people.ts";
import { test } from "../fixtures/session_fixtures.ts";

test("a user asks who it is", async ({ client, service }) => {
  const phone = newPhone();
  const password = goodPassword;
  await client.post("/auth/register", { phone, password, email: "Ada@Example.com" });
  const [, otp] = await Promise.all([client.sendOtp(phone), service.gateway.nextCode(phone)]);
  await client.post("/auth/register/verify", { phone, otp });
  const { session_id, access_token, refresh_token } = await logIn(service, { phone, password });
  const { sub, exp } = decodeJwt(access_token);
  const { status, body } = await client.get("/auth/session", bearer(access_token));
  expect([status, body.data]).toEqual([
    200,
    {
      session_id,
      user_type: "user",
      role: "user",
      user_id: sub,
      phone,
      email: "ada@example.com",
      created_at: expect.any(String) as string,
      access_token_expires_at: expect.any(String) as string,
      refresh_token_expires_at: expect.any(String) as string,
      deletion_due_at: null,
      phone_change_due_at: null,
    },
  ]);
  const secondsOf = (end: unknown) => Date.parse(String(end)) / 1_000;
  expect(secondsOf(body.data?.access_token_expires_at)).toBe(exp);
  expect(secondsOf(body.data?.refresh_token_expires_at)).toBe(decodeJwt(refresh_token).exp);
});

test("a guest asks who it is", async ({ client, guest }) => {
  const { body } = await client.get("/auth/session", bearer(guest.access_token));
  expect(body.data).toMatchObject({
    session_id: guest.session_id,
    user_type: "guest",
    role: "guest",
    user_id: null,
    phone: null,
    email: null,
  });
});

test("tokens say how and when the user signed in, and a refresh keeps both", async ({ client, service, guest }) => {
  const phone = newPhone();
  await client.post("/auth/register", { phone, password: goodPassword });
  const [, otp] = await Promise.all([client.sendOtp(phone), service.gateway.nextCode(phone)]);
  const verified = await client.post("/auth/register/verify", { phone, otp });
  const { access_token, refresh_token } = verified.body.data?.insert_user_session_one as typeof guest;
  expect(decodeJwt(access_token).amr).toEqual(["sms"]);
  expect(decodeJwt(refresh_token).amr).toEqual(["sms"]);
  const login = await logIn(service, { phone, password: goodPassword });
  const { amr, auth_time } = decodeJwt(login.access_token);
  expect(amr).toEqual(["pwd"]);
  expect(Math.abs(Number(auth_time) - Date.now() / 1_000)).toBeLessThan(60);
  await service.database.query(
    `update "user".session set authenticated_at = authenticated_at - interval '1 hour' where id = $1`,
    [login.session_id],
  );
  const fresh = tokensOf(await client.refresh(login.refresh_token));
  for (const token of [fresh.access_token, fresh.refresh_token])
    expect(decodeJwt(token)).toMatchObject({ amr: ["pwd"], auth_time: Number(auth_time) - 3_600 });
  for (const token of [guest.access_token, guest.refresh_token]) {
    expect(decodeJwt(token)).not.toHaveProperty("amr");
    expect(decodeJwt(token)).not.toHaveProperty("auth_time");
  }
});
