import { expect } from "vitest";
import { startVendor, type VendorAnswer } from "../../testing/network/vendor_stand_in.ts";
import { newPhone, signUp } from "../../testing/service/people.ts";
import type { Answer, Client } from "../../testing/service/rest_client.ts";
import { test as baseTest } from "../../testing/fixtures.ts";

/** Starts a server that asks a stand-in for Turnstile. */
const test = baseTest.extend("withCaptcha", ({ service }) => async (answer?: VendorAnswer) => {
  const { url, requests } = await startVendor(answer);
  const env = { TURNSTILE_BASE_URL: url, TURNSTILE_SECRET_KEY: "the secret", TURNSTILE_SITE_KEY: "the site" };
  const start = async () => (await service.startAnotherServer(env)).client;
  return { client: await start(), requests, start };
});

const good = { status: 200, body: { success: true } };
const bad = { status: 200, body: { success: false, "error-codes": ["invalid-input-response"] } };
const required = {
  status: 403,
  code: "INVALID_REQUEST",
  body: { error: { details: { reason: "proof_required", provider: "turnstile", siteKey: "the site" } } },
};

const send = (client: Client, proof?: unknown, phone = newPhone(), headers: Record<string, string> = {}) =>
  client.post("/otp/send", { input: { identifier: phone, identifierType: "PHONE", purpose: "LOGIN", proof } }, headers);

test.beforeEach(({ database }) => database.query("delete from platform.rate_limit; delete from private.used_proof"));
test.afterEach(async ({ service }) => {
  await service.set("SEND_PROOF", "off");
  await service.set("SEND_PROOF_ON_FAILURE", "refuse");
});

test("off: a proof is neither needed nor looked at", async ({ withCaptcha }) => {
  const { client, requests } = await withCaptcha(bad);
  expect((await send(client)).status).toBe(200);
  expect((await send(client, "a token")).status).toBe(200);
  expect(requests).toEqual([]);
});

test("all: a code is sent with a proof that the captcha accepts, once, by any server", async ({
  service,
  gateway,
  withCaptcha,
}) => {
  const { client, requests, start } = await withCaptcha(good);
  await service.set("SEND_PROOF", "all");
  const before = gateway.received.length;
  for (const nothing of [undefined, null, "", "  "]) expect(await send(client, nothing)).toMatchObject(required);
  expect(requests).toEqual([]);
  expect(await send(client, 5)).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
  expect(await send(client, "x".repeat(8193))).toMatchObject({ status: 400, code: "INVALID_REQUEST" });

  expect((await send(client, "a token")).status).toBe(200);
  expect(requests).toHaveLength(1);
  expect(await send(client, "a token")).toMatchObject(required);
  expect(await send(await start(), "a token")).toMatchObject(required);
  expect((await send(client, "another token")).status).toBe(200);
  expect(gateway.received.length).toBe(before + 2);
});

test("of 20 sends at once with one proof, over four servers, one is accepted", async ({
  service,
  gateway,
  withCaptcha,
}) => {
  const { client, start, requests } = await withCaptcha(good);
  const clients = [client, await start(), await start(), await start()];
  await service.set("SEND_PROOF", "all");
  const before = gateway.received.length;
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      send(clients[index % 4]!, "a token", newPhone(), { "x-forwarded-for": `10.4.0.${index}` }),
    ),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([count(200), count(403)]).toEqual([1, 19]);
  expect(requests).toHaveLength(20);
  expect(gateway.received.length).toBe(before + 1);
});

test("suspicious: a proof is needed while a fraud rule in mode record objects", async ({ service, withCaptcha }) => {
  const { client, requests } = await withCaptcha(good);
  await service.set("SEND_PROOF", "suspicious");
  const rule = { mode: "record", seconds: 600, exempt: [] };
  await service.set("FRAUD_COOL_DOWN", rule);
  const phone = newPhone();
  expect((await send(client, undefined, phone)).status).toBe(200);
  expect(await send(client, undefined, phone)).toMatchObject(required);
  expect((await send(client, "a token", phone)).status).toBe(200);
  expect(requests).toHaveLength(1);
  await service.set("FRAUD_COOL_DOWN", { ...rule, mode: "enforce" });
  expect((await send(client, "another token", phone)).code).toBe("RATE_LIMIT_EXCEEDED");
  expect(requests).toHaveLength(1);
  await service.set("FRAUD_COOL_DOWN", { ...rule, mode: "off" });
});

test("a reset needs one too, alike with and without an account", async ({ service, client: plain, withCaptcha }) => {
  const { phone } = await signUp(service);
  const { client, requests } = await withCaptcha(good);
  await service.set("SEND_PROOF", "all");
  const visible = ({ status, body }: Answer) => ({ status, text: JSON.stringify(body.error) });
  const reset = async (number: string, proof?: string) =>
    visible(await client.post("/auth/reset-password", { phone: number, proof }));
  for (const number of [phone, newPhone()]) {
    expect(await client.post("/auth/reset-password", { phone: number })).toMatchObject(required);
    expect(await reset(number, `token of ${number}`)).toEqual({ status: 200, text: undefined });
    expect((await reset(number, `token of ${number}`)).status).toBe(403);
  }
  expect(requests.length).toBe(4);
  // A server without a secret verifies nothing, and refuses.
  expect(await send(plain, "a token")).toMatchObject({
    status: 403,
    body: { error: { details: { siteKey: null } } },
  });
});

test("a request over a limit costs no verification, and is refused by the limit", async ({ service, withCaptcha }) => {
  const { client, requests } = await withCaptcha(good);
  await service.set("SEND_PROOF", "all");
  const phone = newPhone();
  for (const proof of ["one", "two", "three"]) expect((await send(client, proof, phone)).status).toBe(200);
  expect((await send(client, "four", phone)).code).toBe("RATE_LIMIT_EXCEEDED");
  expect((await client.post("/auth/reset-password", { phone, proof: "four" })).status).toBe(200);
  expect(requests).toHaveLength(3);
});

test("a client with too many refused proofs costs no verification; another one does", async ({
  service,
  database,
  withCaptcha,
}) => {
  const { client, requests } = await withCaptcha(bad);
  await service.set("SEND_PROOF", "all");
  await service.set("SEND_PROOF_FAILURES_PER_IP", "2/900");
  const from = (address: string) => send(client, "a token", newPhone(), { "x-forwarded-for": address });
  for (let index = 0; index < 4; index++) expect(await from("10.4.1.1")).toMatchObject(required);
  expect(requests).toHaveLength(2);
  await from("10.4.1.2");
  expect(requests).toHaveLength(3);
  const counted = await database.query("select from platform.rate_limit where key like 'OTP_SEND_%'");
  expect(counted).toEqual([]);
});

test("a captcha that does not answer is worth what SEND_PROOF_ON_FAILURE says", async ({ service, withCaptcha }) => {
  const { client } = await withCaptcha(undefined);
  await service.set("SEND_PROOF", "all");
  expect(await send(client, "a token")).toMatchObject(required);
  await service.set("SEND_PROOF_ON_FAILURE", "accept");
  expect(await send(client)).toMatchObject(required);
  expect((await send(client, "a token")).status).toBe(200);
});

test("while a captcha thinks, no transaction is open", async ({ service, database, withCaptcha }) => {
  const { client, requests } = await withCaptcha(undefined);
  await service.set("SEND_PROOF", "all");
  const answer = send(client, "a token");
  await expect.poll(() => requests.length, { timeout: 30_000 }).toBe(1);
  const open = await database.query(
    `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
  );
  expect(open).toEqual([]);
  expect(await answer).toMatchObject(required);
});
