import { decodeJwt } from "jose";
import { expect } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { logIn, signUp } from "../../testing/service/people.ts";
import { adminOf, askGraphql } from "../../testing/graphql/graphql_client.ts";
import { dataOf, reasonOf, test, totp, wrongCode } from "../fixtures/factor_fixtures.ts";

test("an app is added, confirmed by its first code, listed and removed", async ({ service, client, database }) => {
  const person = await signUp(service);
  const { access_token, refresh_token } = await logIn(service, person);
  const header = bearer(access_token);
  expect(decodeJwt(access_token)).toMatchObject({ amr: ["pwd"], acr: "aal1" });

  const added = await client.post("/auth/factors/totp", { label: " Ada's phone " }, header);
  expect(added.status).toBe(201);
  const { factor_id, secret, uri } = dataOf(added);
  expect(uri).toBe(`otpauth://totp/latchkey:${encodeURIComponent(person.phone)}?secret=${secret}&issuer=latchkey`);
  const listed = async () => dataOf(await client.get("/auth/factors", header)).factors;
  expect(await listed()).toMatchObject([{ factor_id, kind: "totp", label: "Ada's phone", confirmed: false }]);

  const verify = (code: string) => client.post("/auth/factors/totp/verify", { factor_id, code }, header);
  expect((await verify(wrongCode(secret))).code).toBe("INVALID_OTP");
  expect((await verify("12345")).code).toBe("INVALID_OTP_FORMAT");
  const code = totp(secret);
  const confirmed = await verify(` ${code.slice(0, 3)}-${code.slice(3)} `);
  expect(confirmed.status).toBe(200);
  expect(dataOf(confirmed).recovery_codes).toHaveLength(10);
  expect(await listed()).toMatchObject([{ factor_id, confirmed: true, last_used_at: null }]);

  const refreshed = tokensOf(await client.refresh(refresh_token));
  expect(decodeJwt(refreshed.access_token)).toMatchObject({ amr: ["pwd", "otp", "mfa"], acr: "aal2" });
  const stored = await database.query<{ row: string }>(`select f::text as row from "user".factor f`);
  expect(JSON.stringify(stored)).not.toContain(secret);

  expect((await client.delete(`/auth/factors/${factor_id}`, undefined, header)).status).toBe(200);
  expect(await listed()).toEqual([]);
});

test("new recovery codes replace the earlier ones", async ({ client, enrolled }) => {
  const header = bearer(enrolled.tokens.access_token);
  const { recovery_codes } = dataOf(await client.post("/auth/recovery-codes", undefined, header));
  expect(new Set([...recovery_codes, ...enrolled.recoveryCodes]).size).toBe(20);
});

test("factors need a recent proof, of the factor where there is one, and the answer says so as RFC 9470 has it", async ({
  client,
  database,
  enrolled,
}) => {
  const header = bearer(enrolled.tokens.access_token);
  await database.query(`update "user".session set authenticated_at = now() - interval '601 seconds' where id = $1`, [
    enrolled.tokens.session_id,
  ]);
  const requests = [
    () => client.get("/auth/factors", header),
    () => client.post("/auth/factors/totp", {}, header),
    () => client.post("/auth/factors/totp/verify", { factor_id: enrolled.factorId, code: "123456" }, header),
    () => client.delete(`/auth/factors/${enrolled.factorId}`, undefined, header),
    () => client.post("/auth/recovery-codes", undefined, header),
  ];
  for (const request of requests) {
    const answer = await request();
    expect(reasonOf(answer)).toEqual([401, "step_up_required"]);
    expect(answer.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_user_authentication", max_age=600, acr_values="aal2"',
    );
  }
});

test("an account has ten factors at most", async ({ client, database, enrolled }) => {
  await database.query(
    `insert into "user".factor (id, user_id, kind, label, sealed_secret, pepper_id, confirmed_at)
     select gen_random_uuid(), f.user_id, f.kind, f.label, f.sealed_secret, f.pepper_id, now()
     from "user".factor f, generate_series(1, 9) where f.id = $1`,
    [enrolled.factorId],
  );
  const header = bearer(enrolled.tokens.access_token);
  expect(await client.post("/auth/factors/totp", { label: "the eleventh" }, header)).toMatchObject({
    status: 409,
    code: "INVALID_REQUEST",
    body: { error: { details: { reason: "too_many_factors", maximum: 10 } } },
  });
});

test("another user's factor, and a text that is no id, are not found", async ({ service, client, enrolled, enrol }) => {
  const other = await enrol(await signUp(service));
  const header = bearer(other.tokens.access_token);
  for (const id of [enrolled.factorId, "none"])
    expect(reasonOf(await client.delete(`/auth/factors/${id}`, undefined, header))).toEqual([404, "factor_not_found"]);
});

test("a secret that was copied into another user's row opens nothing", async ({
  service,
  client,
  database,
  enrolled,
}) => {
  const person = await signUp(service);
  const header = bearer((await logIn(service, person)).access_token);
  const { factor_id } = dataOf(await client.post("/auth/factors/totp", {}, header));
  await database.query(
    `update "user".factor f set sealed_secret = (select o.sealed_secret from "user".factor o where o.id = $2) where f.id = $1`,
    [factor_id, enrolled.factorId],
  );
  const code = totp(enrolled.secret);
  expect((await client.post("/auth/factors/totp/verify", { factor_id, code }, header)).status).toBe(500);
});

test("the phone is told of every second factor that is added or removed, also by an admin", async ({
  service,
  database,
  gateway,
  client,
  enrolled,
}) => {
  const told =
    "A second factor of your account was added, removed or copied. If that was not you, contact our support.";
  expect(enrolled.notice).toBe(told);
  const removal = await askGraphql(service.url, adminOf(database))(
    "mutation ($id: uuid!) { remove_factor(id: $id) { id kind label } }",
    { id: enrolled.factorId },
  );
  expect(removal.data?.remove_factor).toEqual({ id: enrolled.factorId, kind: "totp", label: "phone" });
  expect((await gateway.next(enrolled.phone)).body).toBe(told);
  const { phone, password } = enrolled;
  expect((await client.post("/auth/login", { phone, password })).status).toBe(200);
});
