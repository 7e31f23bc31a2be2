import { decodeJwt } from "jose";
import { expect } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";
import { clearRateLimits, goodPassword, newPhone } from "../../testing/service/people.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";

const test = baseTest.extend("enter", ({ service, client, gateway }) => async (phone: string, body = {}) => {
  await clearRateLimits(service, phone);
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  return client.post("/auth/login/otp", { phone, otp, ...body });
});

test("one send and one code sign up a new phone, and log in a known one", async ({ client, enter }) => {
  const phone = newPhone();
  const signedUp = await enter(phone, { email: " Ada@Example.com ", label: "Ada's phone" });
  expect(signedUp).toMatchObject({ status: 200, body: { data: { role: "user", created: true } } });
  const { access_token } = tokensOf(signedUp);
  expect(decodeJwt(access_token)).toMatchObject({ role: "user", amr: ["sms"] });
  const caller = await client.get("/auth/session", bearer(access_token));
  expect(caller.body.data).toMatchObject({ phone, email: "ada@example.com" });

  const loggedIn = await enter(phone, { email: "eve@example.com" });
  expect(loggedIn).toMatchObject({ status: 200, body: { data: { created: false } } });
  const { sub } = decodeJwt(tokensOf(loggedIn).access_token);
  expect(sub).toBe(decodeJwt(access_token).sub);
  const again = await client.get("/auth/session", bearer(tokensOf(loggedIn).access_token));
  expect(again.body.data, "an account keeps its email").toMatchObject({ email: "ada@example.com" });
});

test("the new account has no password, and its owner sets one soon after", async ({ client, enter }) => {
  const phone = newPhone();
  const { access_token } = tokensOf(await enter(phone));
  expect((await client.post("/auth/login", { phone, password: goodPassword })).status).toBe(401);
  const newPassword = goodPassword;
  expect((await client.post("/auth/password", { newPassword }, bearer(access_token))).status).toBe(200);
  expect((await client.post("/auth/login", { phone, password: goodPassword })).status).toBe(200);
});

test("a stranger who registered the phone has neither its password nor its email in the new account", async ({
  client,
  enter,
}) => {
  const phone = newPhone();
  const stranger = { phone, password: goodPassword, email: "eve@example.com" };
  const registered = await client.post("/auth/register", stranger);
  const signedUp = await enter(phone);
  expect(signedUp.body.data).toMatchObject({ created: true });
  expect((await client.post("/auth/login", { ...stranger, email: null })).status).toBe(401);
  const { access_token } = tokensOf(signedUp);
  const caller = await client.get("/auth/session", bearer(access_token));
  expect(caller.body.data).toMatchObject({ phone, email: null });
  expect(decodeJwt(access_token).sub).not.toBe(registered.body.data?.userId);
});

test("a guest who signs up by code becomes the user", async ({ client, gateway }) => {
  const phone = newPhone();
  const guest = tokensOf(await client.post("/auth/session/guest"));
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  const signedUp = await client.post("/auth/login/otp", { phone, otp }, bearer(guest.access_token));
  expect(signedUp.body.data).toMatchObject({ promoted_session_id: guest.session_id, created: true });
  expect((await client.refresh(guest.refresh_token)).code).toBe("SESSION_REVOKED");
});

test("a malformed email is refused before the code is compared", async ({ client, gateway }) => {
  const phone = newPhone();
  const [, otp] = await Promise.all([client.sendOtp(phone, "LOGIN"), gateway.nextCode(phone)]);
  const enter = (email: unknown) => client.post("/auth/login/otp", { phone, otp, email });
  expect((await enter("ada")).code).toBe("INVALID_IDENTIFIER");
  expect((await enter(1)).code).toBe("INVALID_REQUEST");
  expect((await enter(null)).status).toBe(200);
});

test("a login by password says nothing of created", async ({ client, enter }) => {
  const phone = newPhone();
  const { access_token } = tokensOf(await enter(phone));
  await client.post("/auth/password", { newPassword: goodPassword }, bearer(access_token));
  const login = await client.post("/auth/login", { phone, password: goodPassword });
  expect(login.body.data).not.toHaveProperty("created");
});
