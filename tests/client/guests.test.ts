import { expect } from "vitest";
import { memoryTokenStorage } from "../../client/src/index.ts";
import { test } from "../../testing/fixtures.ts";
import { newPhone, signUp } from "../../testing/service/people.ts";
import { connect, spoil } from "./fixtures/client_fixtures.ts";

test("a guest is opened once, and is the same one afterwards", async ({ service }) => {
  const { latchkey, network } = connect(service);
  const sessions = await Promise.all(Array.from({ length: 4 }, () => latchkey.session.ensureGuest()));
  expect(new Set(sessions.map(({ data }) => data?.id)).size).toBe(1);
  expect(network.requests).toEqual(["POST /auth/session/guest"]);
  expect((await latchkey.GET("/auth/session")).data).toMatchObject({ user_type: "guest" });
});

test("signing in promotes the guest, by password, code and registration", async ({ service }) => {
  const { gateway } = service;
  const person = await signUp(service);
  const byPassword = connect(service).latchkey;
  const { data: guest } = await byPassword.session.ensureGuest();
  const login = await byPassword.POST("/auth/login", { body: person });
  expect(login.data?.promoted_session_id).toBe(guest?.id);

  const byCode = connect(service).latchkey;
  const { data: second } = await byCode.session.ensureGuest();
  const input = { identifier: person.phone, identifierType: "PHONE", purpose: "LOGIN" } as const;
  await byCode.POST("/otp/send", { body: { input } });
  const otp = await gateway.nextCode(person.phone);
  const codeLogin = await byCode.POST("/auth/login/otp", { body: { phone: person.phone, otp } });
  expect(codeLogin.data?.promoted_session_id).toBe(second?.id);

  const registering = connect(service).latchkey;
  const { data: third } = await registering.session.ensureGuest();
  const phone = newPhone();
  await registering.POST("/auth/register", { body: { phone, password: "correct horse battery" } });
  await registering.POST("/otp/send", {
    body: { input: { ...input, identifier: phone, purpose: "SIGNUP" } },
  });
  const verified = await registering.POST("/auth/register/verify", {
    body: { phone, otp: await gateway.nextCode(phone) },
  });
  expect(verified.data?.promoted_session_id).toBe(third?.id);
  expect(registering.session.current?.userType).toBe("user");
});

test("a guest session that has ended does not prevent signing in", async ({ service, database }) => {
  const storage = memoryTokenStorage();
  const { latchkey } = connect(service, { storage });
  const person = await signUp(service);
  await latchkey.session.ensureGuest();
  await database.query(`update "user".session set revoked_at = now() where id = $1`, [latchkey.session.current?.id]);
  expect((await latchkey.POST("/auth/login", { body: person })).error).toBeUndefined();
  expect(latchkey.session.current?.userType).toBe("user");
});

test("a user who signs in as another one sends no token", async ({ service }) => {
  const { latchkey } = connect(service);
  for (const person of [await signUp(service), await signUp(service)]) {
    expect((await latchkey.POST("/auth/login", { body: person })).error).toBeUndefined();
    expect((await latchkey.GET("/auth/session")).data?.phone).toBe(person.phone);
  }
});

test("a refused guest token is replaced before the guest is promoted", async ({ service }) => {
  const storage = memoryTokenStorage();
  const { latchkey } = connect(service, { storage });
  const person = await signUp(service);
  const { data: guest } = await latchkey.session.ensureGuest();
  await spoil(storage);
  const { data } = await latchkey.POST("/auth/login", { body: person });
  expect(data?.promoted_session_id).toBe(guest?.id);
});
