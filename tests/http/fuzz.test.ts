import fc from "fast-check";
import { expect } from "vitest";
import {
  fuzzRequests,
  receiptFields,
  sendFuzzRequest,
  type FuzzResponse,
} from "../../testing/network/fuzz_requests.ts";
import { logIn, signUp } from "../../testing/service/people.ts";
import { receiptSettings } from "../../testing/service/service.ts";
import { test } from "../fixtures/email_fixtures.ts";
import { postAsGateway, postAsTwilio, postAsVonage } from "../fixtures/receipt_fixtures.ts";

/** FUZZ_RUNS=2000 FUZZ_SEED=… npm run test:run -- tests/http/fuzz: runs more requests, or repeats a run. */
const runs = Number(process.env.FUZZ_RUNS ?? 60);
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);

test.beforeAll(async ({ service, mailbox }) => {
  // The mailbox turns email on.
  expect(mailbox.recipients).toEqual([]);
  for (const key of ["LOGIN_FAILURES_PER_IP", "OTP_VERIFY_PER_IP", "REGISTER_PER_IP"]) await service.set(key, "off");
  for (const key of ["EMAIL_SIGN_IN", "PHONE_RECOVERY_BY_EMAIL"]) await service.set(key, "on");
});

/**
 * Checks that the body has the shape of a success or an error. The webhook and the key set have bodies of their own.
 */
function expectContractShape(method: string, path: string, { status, type, text }: FuzzResponse): void {
  expect(status).toBeLessThan(500);
  if (method === "HEAD") return;
  expect(type).toMatch(/^application\/json/);
  const body = JSON.parse(text) as {
    error?: { code?: unknown; message?: unknown };
    meta?: { timestamp?: unknown };
  };
  if (path.startsWith("/.well-known") || (path.includes("/webhook/") && ["GET", "POST"].includes(method))) return;
  expect(typeof body.meta?.timestamp).toBe("string");
  if (status < 400) return;
  expect(Object.keys(body).sort()).toEqual(["error", "meta"]);
  expect(Object.keys(body.error ?? {}).sort()).toEqual(["code", "details", "message"]);
  expect(body.error?.code).toMatch(/^[A-Z_]+$/);
  expect(text).not.toMatch(/node_modules|at \/|SQLSTATE|pg_|relation "/);
}

test("no request causes a 500, an answer of another shape or a time-out", { timeout: 600_000 }, async ({ service }) => {
  await fc.assert(
    fc.asyncProperty(fuzzRequests, async (request) => {
      expectContractShape(request.method, request.path, await sendFuzzRequest(service.url, request));
    }),
    // A request that takes longer than the time-out fails the test; times are not measured.
    { numRuns: runs * 10, seed, timeout: 90_000 },
  );
});

test("no request of a signed-in user causes a fault either", { timeout: 600_000 }, async ({ service }) => {
  for (const key of ["LOGINS_PER_PHONE", "EXPORTS_PER_USER", "PASSWORD_CHANGES_PER_USER", "FACTOR_CHANGES_PER_USER"])
    await service.set(key, "1000/1");
  const person = await signUp(service);
  const caller = fuzzRequests.filter(({ path }) => path.startsWith("/api/v1/auth/"));
  await fc.assert(
    fc.asyncProperty(caller, async (request) => {
      // A session for each request: many of them end it.
      const { access_token, refresh_token } = await logIn(service, person);
      const token = request.path.endsWith("/refresh") ? refresh_token : access_token;
      const headers = {
        ...request.headers,
        "content-type": "application/json",
        authorization: `Bearer ${token}`,
      };
      expectContractShape(request.method, request.path, await sendFuzzRequest(service.url, { ...request, headers }));
    }),
    { numRuns: runs * 5, seed, timeout: 90_000 },
  );
});

test("no receipt that its vendor has signed causes a fault", { timeout: 600_000 }, async ({ client }) => {
  const callback = `${receiptSettings.PUBLIC_URL}/api/v1/otp/receipts/twilio?attempt=7`;
  await fc.assert(
    fc.asyncProperty(receiptFields, async (fields) => {
      // A vendor repeats a refused receipt, so none is refused, except those of a gateway, whose author reads the
      // answer.
      expect((await postAsTwilio(client, callback, fields)).status).toBe(200);
      expect((await postAsVonage(client, fields)).status).toBe(200);
      expect((await postAsGateway(client, fields)).status).toBeOneOf([200, 400]);
    }),
    { numRuns: runs, seed, timeout: 90_000 },
  );
});
