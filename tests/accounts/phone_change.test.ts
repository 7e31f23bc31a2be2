import { expect } from "vitest";
import { goodPassword, logIn, newPhone } from "../../testing/service/people.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { test, verifyPhone } from "../fixtures/phone_change_fixtures.ts";

test("a user changes the phone: the old one gets a notice, and every other session ends", async ({
  service,
  client,
  gateway,
  database,
  newUser,
  codeFor,
}) => {
  const user = await newUser();
  const there = await logIn(service, user);
  const phone = newPhone();
  const otp = await codeFor(user, phone);
  expect((await verifyPhone(client, user, phone, otp, { "accept-language": "de" })).status).toBe(200);

  const notice = await gateway.next(user.phone);
  expect(notice.body).toMatch(/^Your account has another phone number now/);
  expect(notice.body).not.toMatch(/[0-9]/);
  expect((await client.refresh(there.refresh_token)).code).toBe("SESSION_REVOKED");
  expect((await client.refresh(user.refresh_token)).status).toBe(200);
  expect((await client.post("/auth/login", user)).status).toBe(401);
  expect((await client.post("/auth/login", { ...user, phone })).status).toBe(200);

  const story = await database.query<{ what: string }>("select what from platform.explain_delivery($1, null)", [
    user.phone,
  ]);
  expect(story.map(({ what }) => what).join("\n")).toContain("A notice was queued, to tell this one.");
});

test("the notice has the operator's text for the language of the request", async ({
  service,
  client,
  gateway,
  database,
  newUser,
  codeFor,
}) => {
  const [stored] = await database.query<{ value: object }>(
    "select value from settings.configuration where key = 'OTP_PROVIDER'",
  );
  const templates = { PHONE_CHANGED: { de: "Ihr Konto hat eine neue Nummer.", default: "New number." } };
  await service.set("OTP_PROVIDER", { ...stored!.value, templates });
  const user = await newUser();
  const phone = newPhone();
  await verifyPhone(client, user, phone, await codeFor(user, phone), {
    "accept-language": "de-AT, en;q=0.5",
  });
  expect((await gateway.next(user.phone)).body).toBe("Ihr Konto hat eine neue Nummer.");
  await service.set("OTP_PROVIDER", stored!.value);
});

test("the answer is the same whether or not the phone has an account; only the holder of its code learns that", async ({
  client,
  gateway,
  newUser,
  ask,
  codeFor,
}) => {
  const [user, other] = [await newUser(), await newUser()];
  const otp = await codeFor(user, other.phone);
  const before = gateway.received.length;
  const taken = await verifyPhone(client, user, other.phone, otp);
  expect(taken).toMatchObject({
    status: 409,
    body: { error: { details: { reason: "already_registered" } } },
  });
  expect((await client.refresh(other.refresh_token)).status, "the other account goes on").toBe(200);
  const [free, registered] = [await ask(user, newPhone()), await ask(user, other.phone)];
  expect([free.status, registered.status]).toEqual([200, 200]);
  const names = ({ body }: typeof free) => Object.keys(body.data ?? {});
  expect(names(registered)).toEqual(names(free));
  expect(gateway.received.slice(before).map(({ to }) => to)).not.toContain(user.phone);
});

test("a code is valid for the account that requested it, for this route, and once", async ({
  client,
  newUser,
  codeFor,
}) => {
  const [user, other] = [await newUser(), await newUser()];
  const phone = newPhone();
  const [own, others] = [await codeFor(user, phone), await codeFor(other, phone)];
  const from = (address: string) => ({ "x-forwarded-for": address });
  if (own !== others)
    expect((await verifyPhone(client, user, phone, others, from("10.0.0.1"))).code).toBe("INVALID_OTP");
  const elsewhere = { phone, otp: own };
  expect((await client.post("/auth/login/otp", elsewhere, from("10.0.0.2"))).code).toBe("INVALID_OTP");
  expect((await client.post("/auth/register/verify", elsewhere, from("10.0.0.2"))).code).toBe("INVALID_OTP");
  const reset = { ...elsewhere, newPassword: "another correct horse" };
  expect((await client.post("/auth/reset-password/verify", reset, from("10.0.0.2"))).code).toBe("INVALID_OTP");
  expect((await verifyPhone(client, user, phone, own, from("10.0.0.3"))).status).toBe(200);
  expect((await verifyPhone(client, user, phone, own, from("10.0.0.4"))).code).toBe("OTP_ALREADY_USED");
  expect((await verifyPhone(client, other, phone, others, from("10.0.0.5"))).status).toBe(409);
});

test("POST /otp/send sends neither such a code nor a notice", async ({ client }) => {
  for (const purpose of ["PHONE_CHANGE", "PHONE_CHANGED"])
    expect((await client.sendOtp(newPhone(), purpose)).code).toBe("INVALID_PURPOSE");
});

test("a wrong password sends nothing and counts as a failed login; sends have their usual limits", async ({
  client,
  gateway,
  newUser,
  ask,
}) => {
  const user = await newUser();
  const before = gateway.received.length;
  const headers = { "x-forwarded-for": "10.0.1.1" };
  for (let guess = 0; guess < 10; guess++)
    expect((await ask(user, newPhone(), "a wrong one", headers)).status).toBe(401);
  expect((await ask(user, newPhone(), user.password, headers)).code).toBe("RATE_LIMIT_EXCEEDED");
  expect((await client.post("/auth/login", user, headers)).status).toBe(429);
  expect(gateway.received.length).toBe(before);

  const phone = newPhone();
  const statuses: number[] = [];
  for (let send = 0; send < 4; send++) statuses.push((await ask(user, phone)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test("a vendor that refuses is reported, and nobody's phone changes", async ({ client, gateway, newUser, ask }) => {
  const user = await newUser();
  gateway.behave(400);
  expect((await ask(user, newPhone())).code).toBe("OTP_SEND_FAILED");
  gateway.behave(200);
  expect((await client.post("/auth/login", user)).status).toBe(200);
});

test("codes that a thief has sent to the old phone do not suppress the notice", async ({
  service,
  client,
  database,
  newUser,
  codeFor,
}) => {
  const user = await newUser();
  const phone = newPhone();
  const otp = await codeFor(user, phone);
  // Enforced, each of these refuses what follows a code to the phone, or codes by the client or in the country.
  await service.set("OTP_SEND_PER_IDENTIFIER", "1/3600");
  const [sent] = await Promise.all([client.sendOtp(user.phone, "LOGIN"), service.gateway.next(user.phone)]);
  expect(sent.status).toBe(200);
  await service.set("FRAUD_COOL_DOWN", { mode: "enforce", seconds: 3_600, exempt: [] });
  for (const rule of ["FRAUD_CLIENT", "FRAUD_COUNTRY"])
    await service.set(rule, { mode: "enforce", minimum: 1, factor: 1, exempt: [] });
  expect((await verifyPhone(client, user, phone, otp)).status).toBe(200);
  expect((await service.gateway.next(user.phone)).body).toMatch(/^Your account has another phone number now/);

  for (const rule of ["FRAUD_COOL_DOWN", "FRAUD_CLIENT", "FRAUD_COUNTRY"])
    await database.query("delete from settings.configuration where key = $1", [rule]);
  await service.set("OTP_SEND_PER_IDENTIFIER", "3/3600");
});

test("an account that changes between phones has one limit of logins", async ({
  service,
  client,
  gateway,
  newUser,
  codeFor,
}) => {
  const user = await newUser();
  await service.set("LOGINS_PER_PHONE", "3/300");
  // Its login was the first that counts, and each request of a change is another.
  const phone = newPhone();
  await verifyPhone(client, user, phone, await codeFor(user, phone));
  await gateway.next(user.phone);
  await verifyPhone(client, user, user.phone, await codeFor({ ...user, phone }, user.phone));
  const answer = await client.post("/auth/login", user);
  await service.set("LOGINS_PER_PHONE", "30/300");
  expect(answer).toMatchObject({ status: 429, body: { error: { details: { policy: "LOGINS_PER_PHONE" } } } });
});

test("a change among test numbers sends nothing", async ({ service, client, database, gateway }) => {
  const [phone, other] = [newPhone(), newPhone()];
  const entry = { code: "424242", until: new Date(Date.now() + 3_600_000).toISOString() };
  await service.set("OTP_TEST_NUMBERS", { [phone]: entry, [other]: entry });
  await client.post("/auth/register", { phone, password: goodPassword });
  await client.sendOtp(phone);
  await client.post("/auth/register/verify", { phone, otp: entry.code });
  const user = await logIn(service, { phone, password: goodPassword });
  await client.post("/auth/phone", { newPhone: other, password: goodPassword }, bearer(user.access_token));
  const changed = await verifyPhone(client, user, other, entry.code);
  await service.set("OTP_TEST_NUMBERS", {});
  expect(changed.status).toBe(200);
  expect(
    await database.query(
      "select delivery from platform.otp_transaction where identifier = any ($1) and delivery <> 'test'",
      [[phone, other]],
    ),
  ).toEqual([]);
  expect(gateway.received.filter(({ to }) => to === phone || to === other)).toEqual([]);
});
