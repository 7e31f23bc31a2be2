import { createHash, randomBytes } from "node:crypto";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createAuthenticator, relyingParty, type Falsified } from "../../testing/service/software_authenticator.ts";
import { createPasskeys } from "./passkeys.ts";

const { rpId, origin } = relyingParty;
const party = { WEBAUTHN_RP_ID: rpId, WEBAUTHN_ORIGINS: [origin, "https://app.localhost"] };
const passkeys = createPasskeys(party, pino({ level: "silent" }));
const newChallenge = () => randomBytes(32).toString("base64url");

async function enrol(authenticator = createAuthenticator()) {
  const challenge = newChallenge();
  const made = await passkeys.readNew(challenge, authenticator.create({ challenge }));
  if (!made) throw new Error("the passkey was refused");
  return { authenticator, made };
}

test("a new passkey's id, key and signed data are read, and its signatures are right", async () => {
  const { authenticator, made } = await enrol();
  expect(made.credential_id.toString("base64url")).toBe(authenticator.id);
  expect(made.authenticator_data.subarray(0, 32)).toEqual(createHash("sha256").update(rpId).digest());
  const challenge = newChallenge();
  expect(await passkeys.isSigned(challenge, made.public_key, authenticator.get({ challenge }))).toBe(true);
  const elsewhere = authenticator.get({ challenge }, { origin: "https://app.localhost" });
  expect(await passkeys.isSigned(challenge, made.public_key, elsewhere)).toBe(true);
});

test("a counter that stands still, or nobody verified, is for SQL to refuse", async () => {
  const { authenticator, made } = await enrol(createAuthenticator({ counter: 7 }));
  const challenge = newChallenge();
  const answer = authenticator.get({ challenge }, { counter: 1, userVerified: false });
  expect(await passkeys.isSigned(challenge, made.public_key, answer)).toBe(true);
});

const lies: [string, Falsified][] = [
  ["another page's", { origin: "https://evil.example" }],
  ["another domain's", { rpId: "evil.example" }],
  ["of another kind", { type: "payment.get" }],
  ["for another challenge", { challenge: newChallenge() }],
  ["without a person", { userPresent: false }],
  ["said to be copied and not copyable", { backedUp: true, backupEligible: false }],
  ["of a page within another page", { clientData: { crossOrigin: true, topOrigin: "https://evil.example" } }],
];
test.each(lies)("an answer %s is none", async (_what, falsified) => {
  const { authenticator, made } = await enrol();
  const challenge = newChallenge();
  const answer = authenticator.get({ challenge }, falsified);
  expect(await passkeys.isSigned(challenge, made.public_key, answer)).toBe(false);
  if (!falsified.clientData)
    expect(await passkeys.readNew(challenge, authenticator.create({ challenge }, falsified))).toBeUndefined();
});

test("the log names the page that WEBAUTHN_ORIGINS has not, once a minute, and nothing of other refusals", async () => {
  const lines: string[] = [];
  const logging = createPasskeys(party, pino({}, { write: (line: string) => void lines.push(line) }));
  const { authenticator, made } = await enrol();
  const challenge = newChallenge();
  const refuse = async (falsified: Falsified) => {
    expect(await logging.isSigned(challenge, made.public_key, authenticator.get({ challenge }, falsified))).toBe(false);
    expect(await logging.readNew(challenge, authenticator.create({ challenge }, falsified))).toBeUndefined();
  };
  await refuse({ rpId: "evil.example" });
  await refuse({ challenge: newChallenge() });
  expect(lines).toEqual([]);
  await refuse({ origin: "https://shop.example" });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ err: "https://shop.example", level: 40 });
  expect(lines[0]).toContain("WEBAUTHN_ORIGINS");
  expect(await logging.isSigned(challenge, made.public_key, { response: { clientDataJSON: "AAAA" } })).toBe(false);
});

test("another passkey's signature, a changed one, and one of a passkey that nobody knows are wrong", async () => {
  const { made } = await enrol();
  const other = createAuthenticator();
  const challenge = newChallenge();
  const answer = other.get({ challenge });
  expect(await passkeys.isSigned(challenge, made.public_key, answer)).toBe(false);
  expect(await passkeys.isSigned(challenge, null, answer)).toBe(false);
  for (const signature of ["", "AAAA", randomBytes(70).toString("base64url")])
    expect(await passkeys.isSigned(challenge, made.public_key, other.get({ challenge }, { signature }))).toBe(false);
});

test.each([null, {}, "text", { id: "a", rawId: "a", type: "public-key", response: {} }])(
  "%j is no passkey's answer, and nothing throws",
  async (credential) => {
    expect(await passkeys.readNew(newChallenge(), credential)).toBeUndefined();
    expect(await passkeys.isSigned(newChallenge(), randomBytes(77), credential)).toBe(false);
  },
);

test("what says who made an authenticator is not looked at, so no certificate of a stranger is", async () => {
  const authenticator = createAuthenticator();
  const challenge = newChallenge();
  const { response, ...rest } = authenticator.create({ challenge });
  const object = Buffer.from(response.attestationObject, "base64url").toString("latin1");
  // "fmt": "none" becomes "fmt": "tpm!", which no verifier knows.
  const attestationObject = Buffer.from(object.replace("dnone", "dtpm!"), "latin1").toString("base64url");
  const made = await passkeys.readNew(challenge, { ...rest, response: { ...response, attestationObject } });
  expect(made?.credential_id.toString("base64url")).toBe(authenticator.id);
});

test("without a relying party nothing is a passkey's answer", async () => {
  const none = createPasskeys({}, pino({ level: "silent" }));
  const challenge = newChallenge();
  expect(none.rpId).toBeNull();
  expect(await none.readNew(challenge, createAuthenticator().create({ challenge }))).toBeUndefined();
});
