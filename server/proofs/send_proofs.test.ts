import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { freePort } from "../../embedded/index.ts";
import { startVendor, type VendorAnswer } from "../../testing/network/vendor_stand_in.ts";
import { createSendProofs, proofProviders } from "./send_proofs.ts";

const proof = "a token";
const client = "192.0.2.1";

function proofsAt(url: string, secretKey: string | null = "the secret") {
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const of = (name: string) => ({
    [`${name}_BASE_URL`]: url,
    [`${name}_SECRET_KEY`]: secretKey ?? undefined,
    [`${name}_SITE_KEY`]: `${name}'s site`,
  });
  const config = { ...of("TURNSTILE"), ...of("HCAPTCHA"), ...of("RECAPTCHA") };
  return { proofs: createSendProofs(config as unknown as Parameters<typeof createSendProofs>[0], log), lines };
}

const verify = (url: string, acceptOnFailure: boolean) =>
  proofsAt(url).proofs.verify({ provider: "turnstile", proof, client, acceptOnFailure });

test.each(proofProviders)("%s is asked with the secret and the proof, and nothing of the client", async (provider) => {
  const { url, requests } = await startVendor({ status: 200, body: { success: true, hostname: "app.example.com" } });
  const { proofs, lines } = proofsAt(`${url}/base/`);
  const verified = await proofs.verify({ provider, proof, client, acceptOnFailure: false });
  expect(verified).toEqual({ proof_digest: expect.any(Buffer) as unknown, proof_is_good: true });
  expect(verified.proof_digest).toHaveLength(32);
  expect(requests).toMatchObject([{ method: "POST", path: "/base/siteverify" }]);
  expect(requests[0]?.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
  expect(Object.fromEntries(new URLSearchParams(requests[0]?.body))).toEqual({ secret: "the secret", response: proof });
  expect(lines.join()).not.toMatch(/a token|the secret/);
  expect(proofs.required(provider)).toMatchObject({
    status: 403,
    code: "INVALID_REQUEST",
    details: { reason: "proof_required", provider, siteKey: `${provider.toUpperCase()}'s site` },
  });
});

test("a proof of one provider has another digest than the same text for another", async () => {
  const { url } = await startVendor({ status: 200, body: { success: true } });
  const { proofs } = proofsAt(url);
  const digests = await Promise.all(
    proofProviders.map(async (provider) => {
      const { proof_digest } = await proofs.verify({ provider, proof, client, acceptOnFailure: false });
      return proof_digest.toString("hex");
    }),
  );
  expect(new Set(digests).size).toBe(3);
});

test("a refused proof is not good, whatever a failure is worth, and the log has words alone", async () => {
  const { url } = await startVendor({
    status: 200,
    body: { success: false, "error-codes": ["timeout-or-duplicate", "quotes a token"] },
  });
  const { proofs, lines } = proofsAt(url);
  const request = { provider: "turnstile", proof, client, acceptOnFailure: true } as const;
  expect((await proofs.verify(request)).proof_is_good).toBe(false);
  expect(lines.join()).toContain("timeout-or-duplicate");
  expect(lines.join()).not.toContain("quotes");
});

describe.each([false, true])("where SEND_PROOF_ON_FAILURE accepts: %s", (accepts) => {
  test.each<[string, VendorAnswer]>([
    ["another status", { status: 500, body: { success: true } }],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:9/" }, body: {} }],
    ["no JSON", { status: 200, body: "<html>" }],
    ["a malformed answer", { status: 200, body: { success: "true" } }],
    ["an array", { status: 200, body: [] }],
  ])("%s is a failure", async (_what, answer) => {
    const { url } = await startVendor(answer);
    expect((await verify(url, accepts)).proof_is_good).toBe(accepts);
  });

  test("so is no answer within two seconds", async () => {
    const { url } = await startVendor(undefined);
    const startedAt = performance.now();
    expect((await verify(url, accepts)).proof_is_good).toBe(accepts);
    expect(performance.now() - startedAt).toBeGreaterThan(1_900);
  });

  test("so are a refused connection, of which the log says the cause, and a secret that is not set", async () => {
    const unreachable = proofsAt(`http://127.0.0.1:${await freePort()}`);
    const asked = { provider: "turnstile", proof, client, acceptOnFailure: accepts } as const;
    expect((await unreachable.proofs.verify(asked)).proof_is_good).toBe(accepts);
    expect(unreachable.lines.join()).toContain("ECONNREFUSED");
    const { url, requests } = await startVendor({ status: 200, body: { success: true } });
    const { proofs, lines } = proofsAt(url, null);
    const request = { provider: "turnstile", proof, client, acceptOnFailure: accepts } as const;
    expect((await proofs.verify(request)).proof_is_good).toBe(accepts);
    expect(lines.join()).toContain("TURNSTILE_SECRET_KEY is not set");
    expect(requests).toEqual([]);
  });
});

test("a client has eight verifications at once, and another one is not affected", async () => {
  const { url, hangUp } = await startVendor(undefined);
  const { proofs } = proofsAt(url);
  const ask = (from: string) =>
    proofs.verify({ provider: "turnstile", proof, client: from, acceptOnFailure: false }).then(
      () => "verified",
      (error: unknown) => (error as { code: string }).code,
    );
  const first = Array.from({ length: 8 }, () => ask(client));
  expect(await ask(client)).toBe("SERVICE_UNAVAILABLE");
  const other = ask("192.0.2.2");
  hangUp();
  expect(await Promise.all([...first, other])).toEqual(Array(9).fill("verified"));
  expect(await ask(client)).toBe("verified");
});
