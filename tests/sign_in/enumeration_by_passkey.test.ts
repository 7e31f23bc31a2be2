import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { expect } from "vitest";
import { logIn, newPhone, signUp } from "../../testing/service/people.ts";
import { bearer, type Answer } from "../../testing/service/rest_client.ts";
import { createAuthenticator } from "../../testing/service/software_authenticator.ts";
import { visibleParts, visiblePartsBut } from "../../testing/service/visible_parts.ts";
import { optionsOf, reasonOf, test as baseTest, type PasskeyOwner } from "../fixtures/passkey_fixtures.ts";

const test = baseTest
  .extend("newOwner", ({ service, addPasskey }) => async (): Promise<PasskeyOwner> => {
    const person = await signUp(service);
    const tokens = await logIn(service, person);
    const passkey = createAuthenticator();
    expect((await addPasskey(tokens, passkey)).status).toBe(201);
    return { ...person, passkey, tokens };
  })
  .extend(
    "alter",
    ({ database }) =>
      ({ tokens }: PasskeyOwner, change: string) =>
        database.query(`update "user".account set ${change} where id = $1`, [decodeJwt(tokens.access_token).sub]),
  );

function expectAllAlike(answers: Answer[], visible = visibleParts): Answer {
  for (const answer of answers) expect(visible(answer)).toEqual(visible(answers[0]!));
  return answers[0]!;
}

test("the options of a sign-in are the same, whomever the request names", async ({
  client,
  owner,
  newOwner,
  alter,
}) => {
  const disabled = await newOwner();
  await alter(disabled, "disabled_at = now(), disabled_reason = 'spam'");
  const withoutPasskey = newPhone();
  const answers: Answer[] = [];
  for (const phone of [owner.phone, disabled.phone, withoutPasskey])
    answers.push(await client.post("/auth/login/passkey/options", { phone, credential_id: owner.passkey.id }));
  expectAllAlike(answers, visiblePartsBut("challenge", "challenge_id"));
  expect(optionsOf(answers[0]!).options.allowCredentials).toEqual([]);
});

test("an unknown passkey, a forged signature, an ended challenge and an account that nobody can sign in to are refused in the same way", async ({
  client,
  owner,
  begin,
  signIn,
  newOwner,
  alter,
}) => {
  const [disabled, deleted, recycled] = [await newOwner(), await newOwner(), await newOwner()];
  await alter(disabled, "disabled_at = now(), disabled_reason = 'spam'");
  await alter(deleted, "deletion_due_at = now()");
  await alter(recycled, "phone = null");
  const { options } = await begin();
  const late = { challenge_id: randomUUID(), credential: owner.passkey.get(options), label: "kitchen" };
  const answers = [
    await signIn(createAuthenticator()),
    await signIn(owner.passkey, { signature: "AAAA" }),
    await signIn(owner.passkey, { userHandle: "AAAA" }),
    await signIn(owner.passkey, { userVerified: false }),
    await client.post("/auth/login/passkey", late),
    await signIn(disabled.passkey),
    await signIn(deleted.passkey),
    await signIn(recycled.passkey),
  ];
  expect(reasonOf(expectAllAlike(answers))).toEqual([401, "login_refused"]);
});

test("a challenge that is unknown, used, expired or another's purpose is a wrong answer, also where a passkey is asked for", async ({
  client,
  database,
  owner,
  begin,
  newOwner,
}) => {
  const challengeOf = async ({ phone, password }: PasskeyOwner) =>
    String((await client.post("/auth/login", { phone, password })).body.error?.details?.challenge_id);
  const used = await challengeOf(owner);
  const { options } = optionsOf(await client.post("/auth/login/factor/options", { challenge_id: used }));
  const credential = owner.passkey.get(options);
  expect((await client.post("/auth/login/factor", { challenge_id: used, credential })).status).toBe(200);
  const expired = await challengeOf(await newOwner());
  await database.query("update private.factor_challenge set expires_at = now() where id = $1", [expired]);
  const { challenge_id: ofSignIn } = await begin();
  const ids = [randomUUID(), used, expired, ofSignIn];
  for (const [path, body] of [
    ["/auth/login/factor/options", {}],
    ["/auth/login/factor", { credential }],
    ["/auth/login/factor", { code: "123456" }],
  ] as const) {
    const answers: Answer[] = [];
    for (const challenge_id of ids) answers.push(await client.post(path, { challenge_id, ...body }));
    expect(expectAllAlike(answers).code).toBe("INVALID_OTP");
  }
});

test("the options of a step-up are the caller's own, and say nothing to others", async ({
  service,
  client,
  owner,
  newOwner,
}) => {
  const begin = (token: string) => client.post("/auth/session/step-up/options", undefined, bearer(token));
  const other = await newOwner();
  const { options } = optionsOf(await begin(other.tokens.access_token));
  expect(options.allowCredentials.map(({ id }) => id)).toEqual([other.passkey.id]);
  const { access_token } = await logIn(service, await signUp(service));
  expect(reasonOf(await begin(access_token))).toEqual([404, "factor_not_found"]);
  await client.post("/auth/logout", undefined, bearer(owner.tokens.access_token));
  expect((await begin(owner.tokens.access_token)).code).toBe("SESSION_REVOKED");
});
