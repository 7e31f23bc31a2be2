import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { goodPassword, logIn, newPhone, signUp } from "../../testing/service/people.ts";
import { owner, stranger, test as baseTest } from "../fixtures/registration_fixtures.ts";

const newPassword = "another correct horse";
const test = baseTest.extend(
  "change",
  ({ client }) =>
    (token: string, body: object, address = "10.0.0.1") =>
      client.post("/auth/password", body, { ...bearer(token), "x-forwarded-for": address }),
);

test("a user changes the password: this session stays, every other one ends", async ({ service, client, change }) => {
  const person = await signUp(service);
  const [here, there] = [await logIn(service, person), await logIn(service, person)];
  const answer = await change(here.access_token, { currentPassword: goodPassword, newPassword });
  expect(answer.status).toBe(200);
  expect((await client.refresh(there.refresh_token)).code).toBe("SESSION_REVOKED");
  expect((await client.refresh(here.refresh_token)).status).toBe(200);
  expect((await client.post("/auth/login", person)).status).toBe(401);
  expect((await client.post("/auth/login", { ...person, password: newPassword })).status).toBe(200);
});

test("a wrong current password is refused and counted like a failed login", async ({ service, client, change }) => {
  const person = await signUp(service);
  const { access_token, refresh_token } = await logIn(service, person);
  const body = { currentPassword: "a wrong one", newPassword };
  for (let guess = 0; guess < 10; guess++) {
    const refused = await change(access_token, body, "10.0.1.1");
    expect(refused).toMatchObject({
      status: 401,
      body: {
        // The caller named no phone.
        error: { message: "The password is not correct.", details: { reason: "login_refused" } },
      },
    });
    // The token is valid: a client must not discard it.
    expect(refused.headers.get("www-authenticate")).not.toContain("invalid_token");
  }
  const right = { currentPassword: goodPassword, newPassword };
  expect(await change(access_token, right, "10.0.1.1")).toMatchObject({
    code: "RATE_LIMIT_EXCEEDED",
    body: { error: { details: { policy: "LOGIN_FAILURES_PER_PHONE_AND_IP" } } },
  });
  const login = await client.post("/auth/login", person, { "x-forwarded-for": "10.0.1.1" });
  expect(login.status, "they count for logins, too").toBe(429);
  expect((await client.refresh(refresh_token)).status, "and the session goes on").toBe(200);
});

test("PASSWORD_CHANGES_PER_USER limits changes of a password", async ({ service, change }) => {
  await service.set("PASSWORD_CHANGES_PER_USER", "1/3600");
  const { access_token } = await logIn(service, await signUp(service));
  expect((await change(access_token, { currentPassword: goodPassword, newPassword })).status).toBe(200);
  const second = await change(access_token, { currentPassword: newPassword, newPassword: goodPassword });
  expect(second).toMatchObject({
    status: 429,
    body: { error: { details: { policy: "PASSWORD_CHANGES_PER_USER" } } },
  });
  await service.set("PASSWORD_CHANGES_PER_USER", "10/3600");
});

test("an account without a password sets its first one soon after signing in", async ({
  database,
  register,
  verify,
  logsIn,
  change,
}) => {
  const phone = newPhone();
  await register(phone, owner);
  await register(phone, stranger);
  const verified = (await verify(phone)).body.data?.insert_user_session_one as {
    access_token: string;
    id: string;
  };
  const age = (interval: string) =>
    database.query(`update "user".session set authenticated_at = now() - $2::interval where id = $1`, [
      verified.id,
      interval,
    ]);
  await age("10 minutes");
  expect(await change(verified.access_token, { newPassword })).toMatchObject({
    status: 403,
    body: { error: { details: { reason: "recent_sign_in_required" } } },
  });
  await age("9 minutes");
  expect((await change(verified.access_token, { newPassword, currentPassword: null })).status).toBe(200);
  expect(await logsIn(phone, { ...owner, password: newPassword })).toBe(true);
  expect((await change(verified.access_token, { newPassword: goodPassword })).status).toBe(401);
});

test("the rules for passwords hold, and a guest has none", async ({ service, client, change }) => {
  const { access_token } = await logIn(service, await signUp(service));
  expect(await change(access_token, { currentPassword: goodPassword, newPassword: "short" })).toMatchObject({
    status: 400,
    body: { error: { details: { field: "newPassword", reason: "too_short" } } },
  });
  expect((await change(access_token, { currentPassword: goodPassword })).code).toBe("MISSING_FIELDS");
  const guest = tokensOf(await client.post("/auth/session/guest"));
  expect(await change(guest.access_token, { currentPassword: goodPassword, newPassword })).toMatchObject({
    status: 403,
    body: { error: { details: { reason: "user_session_required" } } },
  });
});
