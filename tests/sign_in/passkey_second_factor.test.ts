import { decodeJwt } from "jose";
import { expect } from "vitest";
import { bearer } from "../../testing/service/rest_client.ts";
import { createAuthenticator, type Falsified } from "../../testing/service/software_authenticator.ts";
import {
  accessTokenOf,
  optionsOf,
  reasonOf,
  test as baseTest,
  type PasskeyOwner,
} from "../fixtures/passkey_fixtures.ts";

const test = baseTest
  /** Does the first step of a sign-in, and answers the challenge by the passkey. */
  .extend("twoSteps", ({ client }) => async (owner: PasskeyOwner, falsified?: Falsified) => {
    const { phone, password, passkey } = owner;
    const first = await client.post("/auth/login", { phone, password });
    expect(reasonOf(first)).toEqual([401, "second_factor_required"]);
    const { challenge_id, factors } = first.body.error!.details as { challenge_id: string; factors: string[] };
    expect(factors).toEqual(["passkey"]);
    const { options } = optionsOf(await client.post("/auth/login/factor/options", { challenge_id }));
    expect(options.allowCredentials.map(({ id }) => id)).toEqual([passkey.id]);
    const answer = (lie = falsified) =>
      client.post("/auth/login/factor", { challenge_id, credential: passkey.get(options, lie) });
    return { challenge_id, options, answer };
  });

test("a passkey is the second step of a sign-in, and its challenge is answered once", async ({ owner, twoSteps }) => {
  const { answer } = await twoSteps(owner);
  const signedIn = await answer();
  expect(signedIn.status).toBe(200);
  expect(decodeJwt(accessTokenOf(signedIn))).toMatchObject({ amr: ["pwd", "hwk", "user", "mfa"], acr: "aal2" });
  expect((await answer()).code).toBe("INVALID_OTP");
});

test("beside a password a passkey need not verify its user", async ({ owner, twoSteps }) => {
  const { answer } = await twoSteps(owner, { userVerified: false });
  expect(decodeJwt(accessTokenOf(await answer()))).toMatchObject({ amr: ["pwd", "hwk", "mfa"], acr: "aal2" });
});

test("wrong answers are counted at the challenge, and five end it", async ({ owner, twoSteps }) => {
  const { answer } = await twoSteps(owner);
  const wrong = [];
  for (let attempt = 0; attempt < 5; attempt++) wrong.push((await answer({ signature: "AAAA" })).code);
  expect(wrong).toEqual(Array(5).fill("INVALID_OTP"));
  expect((await answer({})).code).toBe("MAX_ATTEMPTS_REACHED");
});

test("a passkey opens factors that a hundred wrong codes have locked", async ({ database, owner, twoSteps }) => {
  const { sub } = decodeJwt(owner.tokens.access_token);
  await database.query(`update "user".account set factor_failures = 100 where id = $1`, [sub]);
  const { answer } = await twoSteps(owner);
  expect((await answer()).status).toBe(200);
  const failures = `select factor_failures from "user".account where id = $1`;
  expect(await database.query(failures, [sub])).toEqual([{ factor_failures: 0 }]);
});

test("another's passkey, and an answer without options, are wrong answers", async ({ client, owner, twoSteps }) => {
  const { challenge_id, options } = await twoSteps(owner);
  const strange = createAuthenticator().get(options);
  expect((await client.post("/auth/login/factor", { challenge_id, credential: strange })).code).toBe("INVALID_OTP");
  const first = await client.post("/auth/login", { phone: owner.phone, password: owner.password });
  const unasked = {
    ...(first.body.error!.details as { challenge_id: string }),
    credential: owner.passkey.get(options),
  };
  expect(
    (await client.post("/auth/login/factor", { challenge_id: unasked.challenge_id, credential: unasked.credential }))
      .code,
  ).toBe("INVALID_OTP");
  const unknown = { challenge_id: "0b2f6c1e-5d7a-4c3b-9e8f-1a2b3c4d5e6f" };
  expect((await client.post("/auth/login/factor/options", unknown)).code).toBe("INVALID_OTP");
});

test("a signature of an empty challenge, which anybody could keep, answers no sign-in without options", async ({
  client,
  owner,
  twoSteps,
}) => {
  const { options } = await twoSteps(owner);
  const credential = owner.passkey.get(options, { challenge: "" });
  const { phone, password } = owner;
  const first = await client.post("/auth/login", { phone, password });
  const { challenge_id } = first.body.error!.details as { challenge_id: string };
  expect((await client.post("/auth/login/factor", { challenge_id, credential })).code).toBe("INVALID_OTP");
});

test("a passkey steps a session up, once by each challenge", async ({ client, database, owner }) => {
  const header = bearer(owner.tokens.access_token);
  await database.query(
    `update "user".session set amr = array['pwd'], authenticated_at = now() - interval '1 hour' where id = $1`,
    [decodeJwt(owner.tokens.access_token).sid],
  );
  expect(reasonOf(await client.get("/auth/factors", header))).toEqual([401, "step_up_required"]);
  const { challenge_id, options } = optionsOf(await client.post("/auth/session/step-up/options", undefined, header));
  const stepUp = (falsified?: Falsified) =>
    client.post("/auth/session/step-up", { challenge_id, credential: owner.passkey.get(options, falsified) }, header);
  expect((await stepUp({ signature: "AAAA" })).code).toBe("INVALID_OTP");
  const stepped = await stepUp();
  expect(decodeJwt(accessTokenOf(stepped))).toMatchObject({ amr: ["pwd", "hwk", "user", "mfa"], acr: "aal2" });
  expect((await client.get("/auth/factors", bearer(accessTokenOf(stepped)))).status).toBe(200);
  const again = { challenge_id, credential: owner.passkey.get(options) };
  expect((await client.post("/auth/session/step-up", again, bearer(accessTokenOf(stepped)))).code).toBe("INVALID_OTP");
});
