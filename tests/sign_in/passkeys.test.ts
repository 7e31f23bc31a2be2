import { decodeJwt } from "jose";
import { expect } from "vitest";
import { logIn, signUp } from "../../testing/service/people.ts";
import { bearer } from "../../testing/service/rest_client.ts";
import { createAuthenticator, type Falsified } from "../../testing/service/software_authenticator.ts";
import { accessTokenOf, optionsOf, reasonOf, test } from "../fixtures/passkey_fixtures.ts";

test("a passkey is added, listed, signs in by itself, and is removed", async ({
  service,
  client,
  addPasskey,
  signIn,
}) => {
  const person = await signUp(service);
  const tokens = await logIn(service, person);
  const header = bearer(tokens.access_token);
  const passkey = createAuthenticator({ counter: 0 });
  const added = await addPasskey(tokens, passkey);
  expect(added.status).toBe(201);
  expect((added.body.data as unknown as { recovery_codes: string[] }).recovery_codes).toHaveLength(10);
  const { factors } = (await client.get("/auth/factors", header)).body.data as unknown as {
    factors: { factor_id: string }[];
  };
  expect(factors).toMatchObject([{ kind: "passkey", label: "phone", confirmed: true, last_used_at: null }]);

  const answer = await signIn(passkey);
  expect(answer.status).toBe(200);
  const { sub } = decodeJwt(tokens.access_token);
  expect(decodeJwt(accessTokenOf(answer))).toMatchObject({ sub, amr: ["hwk", "user", "mfa"], acr: "aal2" });

  expect((await client.delete(`/auth/factors/${factors[0]!.factor_id}`, undefined, header)).status).toBe(200);
  expect(reasonOf(await signIn(passkey))).toEqual([401, "login_refused"]);
});

test("a passkey that may be copied says so, and a guest becomes its user", async ({
  service,
  client,
  addPasskey,
  signIn,
}) => {
  const tokens = await logIn(service, await signUp(service));
  const passkey = createAuthenticator({ backupEligible: true, backedUp: true });
  await addPasskey(tokens, passkey);
  const guest = await client.post("/auth/session/guest");
  const answer = await signIn(passkey, {}, bearer(accessTokenOf(guest)));
  expect(decodeJwt(accessTokenOf(answer)).amr).toEqual(["swk", "user", "mfa"]);
  expect(answer.body.data).toHaveProperty("promoted_session_id");
  const again = [await signIn(passkey), await signIn(passkey)];
  expect(again.map(({ status }) => status)).toEqual([200, 200]);
});

test("the options name the user's passkeys only to the user", async ({ client, owner, begin }) => {
  const { options } = optionsOf(
    await client.post("/auth/factors/passkey/options", undefined, bearer(owner.tokens.access_token)),
  );
  expect(options).toMatchObject({
    rp: { id: "localhost" },
    user: { name: owner.phone },
    excludeCredentials: [{ id: owner.passkey.id, transports: ["internal"] }],
    attestation: "none",
  });
  expect((await begin()).options).toMatchObject({ allowCredentials: [], userVerification: "required" });
});

const refused: [string, Falsified][] = [
  ["has another's signature", { signature: "AAAA" }],
  ["has a passkey that nobody knows", { id: "AAAA" }],
  ["did not verify its user", { userVerified: false }],
  ["is for another page", { origin: "https://evil.example" }],
  ["is for another challenge", { challenge: "AAAA" }],
  ["names another user", { userHandle: "AAAA" }],
  ["is suddenly a passkey that may be copied", { backupEligible: true }],
];
test.for(refused)("a sign-in that %s is refused as every other", async ([, falsified], { owner, signIn }) => {
  const answer = await signIn(owner.passkey, falsified);
  expect(reasonOf(answer)).toEqual([401, "login_refused"]);
  expect((await signIn(owner.passkey)).status).toBe(200);
});

test("a cloned passkey is refused once its counter goes back, and the admin sees it", async ({
  database,
  owner,
  signIn,
}) => {
  const clone = owner.passkey.clone();
  expect((await signIn(owner.passkey)).status).toBe(200);
  expect((await signIn(owner.passkey)).status).toBe(200);
  const rows = () =>
    database.query<{ back: boolean }>(
      `select counter_went_back_at is not null as back from "user".factor where credential_id = $1`,
      [Buffer.from(clone.id, "base64url")],
    );
  expect(await rows()).toEqual([{ back: false }]);
  // The clone counts from where it was copied.
  expect(reasonOf(await signIn(clone))).toEqual([401, "login_refused"]);
  expect(await rows()).toEqual([{ back: true }]);
  const told = await database.query(
    `select purpose from platform.otp_transaction where identifier = $1 and purpose = 'FACTORS_CHANGED'`,
    [owner.phone],
  );
  // The first one is of the passkey that was added.
  expect(told).toHaveLength(2);
  expect((await signIn(owner.passkey)).status).toBe(200);
});

test("a challenge is answered once, by its own purpose and session, and not after five minutes", async ({
  client,
  database,
  owner,
  begin,
}) => {
  const { challenge_id, options } = await begin();
  const answer = () =>
    client.post("/auth/login/passkey", { challenge_id, credential: owner.passkey.get(options), label: null });
  expect((await answer()).status).toBe(200);
  expect(reasonOf(await answer())).toEqual([401, "login_refused"]);

  const old = await begin();
  await database.query("update private.factor_challenge set expires_at = now() where id = $1", [old.challenge_id]);
  const late = { challenge_id: old.challenge_id, credential: owner.passkey.get(old.options) };
  expect(reasonOf(await client.post("/auth/login/passkey", late))).toEqual([401, "login_refused"]);

  const header = bearer(owner.tokens.access_token);
  const enrolment = optionsOf(await client.post("/auth/factors/passkey/options", undefined, header));
  const other = { challenge_id: enrolment.challenge_id, credential: owner.passkey.get(enrolment.options) };
  expect(reasonOf(await client.post("/auth/login/passkey", other))).toEqual([401, "login_refused"]);

  const newer = optionsOf(await client.post("/auth/factors/passkey/options", undefined, header));
  const made = (challenge: typeof newer, id = challenge.challenge_id) =>
    client.post(
      "/auth/factors/passkey",
      { challenge_id: id, credential: createAuthenticator().create(challenge.options) },
      header,
    );
  expect((await made(enrolment)).code).toBe("INVALID_OTP");
  expect((await made(enrolment, newer.challenge_id)).code).toBe("INVALID_OTP");
  expect((await made(newer)).status).toBe(201);
});

test("five wrong answers end a challenge", async ({ client, owner, begin }) => {
  const { challenge_id, options } = await begin();
  const answer = (falsified?: Falsified) =>
    client.post("/auth/login/passkey", { challenge_id, credential: owner.passkey.get(options, falsified) });
  for (let attempt = 0; attempt < 5; attempt++) await answer({ signature: "AAAA" });
  expect(reasonOf(await answer())).toEqual([401, "login_refused"]);
});

test("wrong answers of one client are limited as failed logins are", async ({ service, owner, signIn }) => {
  const header = { "x-forwarded-for": "192.0.2.77" };
  await service.set("LOGIN_FAILURES_PER_IP", "2/900");
  const wrong = () => signIn(owner.passkey, { signature: "AAAA" }, header);
  expect([await wrong(), await wrong(), await wrong()].map(({ status }) => status)).toEqual([401, 401, 429]);
  expect((await signIn(owner.passkey, {}, header)).code).toBe("RATE_LIMIT_EXCEEDED");
  expect((await signIn(owner.passkey, {}, { "x-forwarded-for": "192.0.2.78" })).status).toBe(200);
  await service.set("LOGIN_FAILURES_PER_IP", "100/900");
});

test("what one client begins is limited", async ({ service, client }) => {
  await service.set("PASSKEY_CHALLENGES_PER_IP", "1/60");
  const begin = () => client.post("/auth/login/passkey/options", undefined, { "x-forwarded-for": "192.0.2.78" });
  expect([(await begin()).status, (await begin()).status]).toEqual([200, 429]);
  await service.set("PASSKEY_CHALLENGES_PER_IP", "600/60");
});

test("a disabled account's passkey signs nobody in", async ({ database, owner, signIn }) => {
  const { sub } = decodeJwt(owner.tokens.access_token);
  await database.query(`update "user".account set disabled_at = now(), disabled_reason = 'test' where id = $1`, [sub]);
  expect(reasonOf(await signIn(owner.passkey))).toEqual([401, "login_refused"]);
});

test("the passkey of an account whose number was recycled signs nobody in", async ({ database, owner, signIn }) => {
  const { sub } = decodeJwt(owner.tokens.access_token);
  await database.query(`update "user".account set phone = null where id = $1`, [sub]);
  expect(reasonOf(await signIn(owner.passkey))).toEqual([401, "login_refused"]);
});

test("a passkey belongs to one account", async ({ service, owner, addPasskey, signIn }) => {
  const other = await logIn(service, await signUp(service));
  expect(reasonOf(await addPasskey(other, owner.passkey))).toEqual([409, "already_registered"]);
  expect(decodeJwt(accessTokenOf(await signIn(owner.passkey))).sub).toBe(decodeJwt(owner.tokens.access_token).sub);
});

test("while PASSKEY_SIGN_IN is off, and without a relying party, the routes are not enabled", async ({
  service,
  client,
}) => {
  await service.set("PASSKEY_SIGN_IN", "off");
  expect(reasonOf(await client.post("/auth/login/passkey/options"))).toEqual([404, "not_enabled"]);
  await service.set("PASSKEY_SIGN_IN", "on");
  const without = await service.startAnotherServer({ WEBAUTHN_RP_ID: "", WEBAUTHN_ORIGINS: "" });
  expect(reasonOf(await without.client.post("/auth/login/passkey/options"))).toEqual([404, "not_enabled"]);
  const header = bearer((await logIn(service, await signUp(service))).access_token);
  expect(reasonOf(await without.client.post("/auth/factors/passkey/options", undefined, header))).toEqual([
    404,
    "not_enabled",
  ]);
  await without.stop();
});
