import { expect } from "vitest";
import { bearer, tokensOf, type Answer, type Client } from "../../testing/service/rest_client.ts";
import { test } from "../../testing/fixtures.ts";
import { clearRateLimits, goodPassword, logIn, requestPasswordReset, signUp } from "../../testing/service/people.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";

const deleteAccount = (client: Client, token: string, body?: object): Promise<Answer> =>
  client.delete("/auth/account", body, bearer(token));

const makeDue = (database: TestDatabase, phone: string): Promise<unknown> =>
  database.query(`update "user".account set deletion_due_at = now() - interval '1 day' where phone = $1`, [phone]);

test("a deleted account has no session, until a login restores it and says so", async ({
  service,
  client,
  database,
}) => {
  const person = await signUp(service);
  const [phone, laptop] = [await logIn(service, person), await logIn(service, person)];
  const deleted = await deleteAccount(client, phone.access_token, { password: goodPassword });
  expect(deleted.status).toBe(200);
  const [account] = await database.query<{ deletion_due_at: Date; days: number }>(
    `select deletion_due_at, extract(epoch from deletion_due_at - now())::float / 86400 as days from "user".account where phone = $1`,
    [person.phone],
  );
  expect(deleted.body.data).toEqual({ deletion_due_at: account?.deletion_due_at.toISOString() });
  expect(account?.days).toBeCloseTo(14, 1);
  for (const { refresh_token } of [phone, laptop])
    expect((await client.refresh(refresh_token)).code).toBe("SESSION_REVOKED");

  const login = await client.post("/auth/login", person);
  expect(login).toMatchObject({ status: 200, body: { data: { restored: true } } });
  const again = await client.post("/auth/login", person);
  expect(again.body.data).not.toHaveProperty("restored");
  expect((await client.refresh(tokensOf(login).refresh_token)).status).toBe(200);
});

test("a wrong password is refused and counted like a failed login, a wrong code like a guess", async ({
  service,
  client,
  gateway,
  database,
}) => {
  const person = await signUp(service);
  const { access_token } = await logIn(service, person);
  const wrong = await deleteAccount(client, access_token, { password: "a wrong one" });
  expect(wrong).toMatchObject({
    status: 401,
    code: "INVALID_REQUEST",
    body: { error: { message: "The password is not correct.", details: { reason: "login_refused" } } },
  });
  const counted = await database.query(
    "select from platform.rate_limit where key like 'LOGIN_FAILURES%' and strpos(key, $1) > 0",
    [person.phone],
  );
  expect(counted).toHaveLength(2);

  for (let guess = 0; guess < 6; guess++) {
    const answer = await client.delete(
      "/auth/account",
      { otp: "000000" },
      { ...bearer(access_token), "x-forwarded-for": `10.3.0.${guess}` },
    );
    expect(answer.code).toBe(guess < 5 ? "INVALID_OTP" : "MAX_ATTEMPTS_REACHED");
  }
  await database.query("delete from private.guess_count");
  await clearRateLimits(service, person.phone);

  const [, signup] = await Promise.all([client.sendOtp(person.phone), gateway.nextCode(person.phone)]);
  expect((await deleteAccount(client, access_token, { otp: signup })).code).toBe("INVALID_OTP");
  const [, otp] = await Promise.all([client.sendOtp(person.phone, "LOGIN"), gateway.nextCode(person.phone)]);
  expect((await deleteAccount(client, access_token, { otp })).status).toBe(200);
  expect((await deleteAccount(client, access_token, { otp })).code).toBe("SESSION_REVOKED");
});

test.for([
  [{}, "MISSING_FIELDS"],
  [{ password: goodPassword, otp: "123456" }, "INVALID_REQUEST"],
  [undefined, "MISSING_FIELDS"],
  [{ password: null, otp: null }, "MISSING_FIELDS"],
  [{ otp: "12" }, "INVALID_OTP_FORMAT"],
  [{ password: 1 }, "INVALID_REQUEST"],
  [{ password: " " }, "MISSING_FIELDS"],
] as const)("a body must be one of password and otp: %o is %s", async ([body, code], { service, client }) => {
  const { access_token } = await logIn(service, await signUp(service));
  expect(await deleteAccount(client, access_token, body)).toMatchObject({ status: 400, code });
  expect((await client.get("/auth/account/export", bearer(access_token))).status).toBe(200);
});

test("a guest has no account to delete or export", async ({ client }) => {
  const { access_token } = tokensOf(await client.post("/auth/session/guest"));
  for (const answer of [
    await deleteAccount(client, access_token, { password: goodPassword }),
    await client.get("/auth/account/export", bearer(access_token)),
  ])
    expect(answer).toMatchObject({
      status: 403,
      body: { error: { details: { reason: "user_session_required" } } },
    });
});

test("a reset leaves the deletion in force, and the new password restores the account", async ({
  service,
  client,
  database,
}) => {
  const person = await signUp(service);
  await deleteAccount(client, (await logIn(service, person)).access_token, { password: goodPassword });
  const otp = await requestPasswordReset(service, person.phone);
  const newPassword = "the password after the reset";
  expect((await client.post("/auth/reset-password/verify", { phone: person.phone, otp, newPassword })).status).toBe(
    200,
  );
  const [account] = await database.query<{ deletion_due_at: Date | null }>(
    `select deletion_due_at from "user".account where phone = $1`,
    [person.phone],
  );
  expect(account?.deletion_due_at).not.toBeNull();
  const login = await client.post("/auth/login", { phone: person.phone, password: newPassword });
  expect(login.body.data).toMatchObject({ restored: true });
});

test("once the deletion is due, signing in answers as for an unknown phone, and registering as for a registered one", async ({
  service,
  client,
  gateway,
  database,
}) => {
  const person = await signUp(service);
  await deleteAccount(client, (await logIn(service, person)).access_token, { password: goodPassword });
  await makeDue(database, person.phone);
  await clearRateLimits(service, person.phone);
  expect((await client.post("/auth/login", person)).status).toBe(401);
  expect((await client.post("/auth/register", person)).status).toBe(201);
  const [, otp] = await Promise.all([client.sendOtp(person.phone), gateway.nextCode(person.phone)]);
  expect(await client.post("/auth/register/verify", { phone: person.phone, otp })).toMatchObject({
    status: 409,
    body: { error: { details: { reason: "already_registered" } } },
  });
  await database.query("select delivery.erase_due_account(0)");
  expect((await signUp(service, person.phone)).phone).toBe(person.phone);
});

test("without a grace an account is gone at once", async ({ service, client }) => {
  await service.set("ACCOUNT_DELETION_GRACE_SECONDS", 0);
  const person = await signUp(service);
  await deleteAccount(client, (await logIn(service, person)).access_token, { password: goodPassword });
  expect((await client.post("/auth/login", person)).status).toBe(401);
  await service.set("ACCOUNT_DELETION_GRACE_SECONDS", 1_209_600);
});

test("an export holds what is stored about the caller, and about nobody else", async ({
  service,
  client,
  database,
}) => {
  const person = await signUp(service);
  const other = await signUp(service);
  const { access_token, session_id } = tokensOf(
    await client.post("/auth/login", { ...person, label: "my phone" }, { "user-agent": "a browser" }),
  );
  const answer = await client.get("/auth/account/export", bearer(access_token));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.body.data).toMatchObject({
    account: { phone: person.phone, has_password: true },
    shortened: [],
  });
  expect((answer.body.data?.sessions as object[])[0]).toMatchObject({
    session_id,
    label: "my phone",
    user_agent: "a browser",
    amr: ["pwd"],
  });
  expect(answer.body.data?.known_clients).toHaveLength(1);
  const text = JSON.stringify(answer.body);
  expect(text).not.toContain(other.phone);
  const times = text.match(/\d{4}-\d\d-\d\dT[^"]*/g);
  expect(times?.length).toBeGreaterThan(10);
  expect(
    times?.filter((time) => new Date(time).toISOString() !== time),
    "times as in other responses",
  ).toEqual([]);
  const secrets = await database.query<{ secret: string }>(
    `select password_hash as secret from "user".account where password_hash is not null
     union all select access_token_id::text from "user".session union all select refresh_token_id::text from "user".session
     union all select encode(code_hash, 'hex') from platform.otp_transaction where code_hash is not null`,
  );
  expect(secrets.length).toBeGreaterThan(5);
  expect(secrets.filter(({ secret }) => text.includes(secret))).toEqual([]);

  await service.set("EXPORTS_PER_USER", "2/3600");
  expect((await client.get("/auth/account/export", bearer(access_token))).status).toBe(200);
  expect(await client.get("/auth/account/export", bearer(access_token))).toMatchObject({
    status: 429,
    body: { error: { details: { policy: "EXPORTS_PER_USER" } } },
  });
});
