import { decodeJwt } from "jose";
import { expect } from "vitest";
import { bearer, tokensOf, type Answer } from "../../testing/service/rest_client.ts";
import { logIn, signUp } from "../../testing/service/people.ts";
import { dataOf, reasonOf, test as baseTest, totp, wrongCode } from "../fixtures/factor_fixtures.ts";

const test = baseTest.extend("age", ({ database }) => async (sessionId: string) => {
  await database.query(`update "user".session set authenticated_at = now() - interval '601 seconds' where id = $1`, [
    sessionId,
  ]);
});

test("a code steps a session up, with new tokens, and the old refresh token counts as replaced", async ({
  client,
  enrolled,
  age,
}) => {
  const { tokens, secret, password } = enrolled;
  await age(tokens.session_id);
  const stepUp = (fields: object, token = tokens.access_token) =>
    client.post("/auth/session/step-up", fields, bearer(token));
  expect((await stepUp({ code: wrongCode(secret) })).code).toBe("INVALID_OTP");
  expect(reasonOf(await stepUp({ password: "a wrong one" }))).toEqual([401, "login_refused"]);
  expect((await stepUp({})).code).toBe("MISSING_FIELDS");
  expect((await stepUp({ password, code: totp(secret) })).code).toBe("INVALID_REQUEST");
  const before = Math.floor(Date.now() / 1000);
  const answer = await stepUp({ code: totp(secret) });
  expect(answer.status).toBe(200);
  const renewed = tokensOf(answer);
  const claims = decodeJwt(renewed.access_token);
  expect(claims).toMatchObject({ sid: tokens.session_id, acr: "aal2", amr: ["pwd", "otp", "mfa"] });
  expect(claims.auth_time).toBeGreaterThanOrEqual(before - 1);
  expect((await client.get("/auth/factors", bearer(renewed.access_token))).status).toBe(200);
  expect((await client.refresh(renewed.refresh_token)).status).toBe(200);
});

test("what could take an account away needs the second factor, and a step-up gives it", async ({
  client,
  enrolled,
  age,
}) => {
  const { tokens, secret, password } = enrolled;
  await age(tokens.session_id);
  const header = bearer(tokens.access_token);
  const newPassword = "another good password";
  const refused: Answer[] = [
    await client.post("/auth/password", { currentPassword: password, newPassword }, header),
    await client.post("/auth/phone", { newPhone: "+12125559999", password }, header),
    await client.post("/auth/phone/verify", { newPhone: "+12125559999", otp: "123456" }, header),
    await client.delete("/auth/account", { password }, header),
    await client.get("/auth/account/export", header),
  ];
  for (const answer of refused) expect(reasonOf(answer)).toEqual([401, "step_up_required"]);
  expect((await client.get("/auth/sessions", header)).status).toBe(200);
  // The password alone does not do: who has the token may have it too.
  const weak = tokensOf(await client.post("/auth/session/step-up", { password }, header));
  expect(reasonOf(await client.get("/auth/account/export", bearer(weak.access_token)))).toEqual([
    401,
    "step_up_required",
  ]);
  await client.post("/auth/session/step-up", { code: totp(secret) }, bearer(weak.access_token));
  const exported = await client.get("/auth/account/export", header);
  expect(exported.body.data?.factors).toMatchObject([{ kind: "totp", label: "phone" }]);
  expect(JSON.stringify(exported.body)).not.toContain(secret);
  expect((await client.post("/auth/password", { currentPassword: password, newPassword }, header)).status).toBe(200);
});

test("without a second factor a password renews a session, and nothing else asks for it", async ({
  service,
  client,
  age,
}) => {
  const person = await signUp(service);
  const tokens = await logIn(service, person);
  const header = bearer(tokens.access_token);
  await age(tokens.session_id);
  expect((await client.get("/auth/account/export", header)).status).toBe(200);
  const answer = await client.get("/auth/factors", header);
  expect(reasonOf(answer)).toEqual([401, "step_up_required"]);
  expect(answer.headers.get("www-authenticate")).toBe('Bearer error="insufficient_user_authentication", max_age=600');
  expect((await client.post("/auth/session/step-up", { password: person.password }, header)).status).toBe(200);
  expect((await client.get("/auth/factors", header)).status).toBe(200);
});

test("where a second factor is required, a session without one may only add it", async ({ service, client }) => {
  const person = await signUp(service);
  const { access_token } = await logIn(service, person);
  await service.set("SECOND_FACTOR", "required");
  const header = bearer(access_token);
  for (const path of ["/auth/sessions", "/auth/account/export"])
    expect(reasonOf(await client.get(path, header))).toEqual([403, "second_factor_setup_required"]);
  const webhook = await fetch(`${service.url}/api/v1/auth/webhook/authorize`, { headers: header });
  expect(webhook.status).toBe(401);
  expect((await client.get("/auth/session", header)).status).toBe(200);
  expect((await client.post("/auth/session/step-up", { password: person.password }, header)).status).toBe(200);

  const { factor_id, secret } = dataOf(await client.post("/auth/factors/totp", {}, header));
  const code = totp(secret);
  expect((await client.post("/auth/factors/totp/verify", { factor_id, code }, header)).status).toBe(200);
  expect((await client.get("/auth/sessions", header)).status).toBe(200);
  expect(reasonOf(await client.delete(`/auth/factors/${factor_id}`, undefined, header))).toEqual([409, "last_factor"]);
  const guest = tokensOf(await client.post("/auth/session/guest"));
  expect(
    (await fetch(`${service.url}/api/v1/auth/webhook/authorize`, { headers: bearer(guest.access_token) })).status,
  ).toBe(200);

  const other = await signUp(service);
  const bare = await logIn(service, other);
  expect((await client.refresh(bare.refresh_token)).status).toBe(200);
  expect((await client.post("/auth/logout", undefined, bearer(bare.access_token))).status).toBe(200);
  await service.set("SECOND_FACTOR", "optional");
});
