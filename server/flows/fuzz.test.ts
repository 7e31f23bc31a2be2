import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fuzzRequests, sendFuzzRequest, type FuzzResponse } from "../../testing/fuzz_requests.ts";
import { startService, type Service } from "../../testing/service.ts";

/** FUZZ_RUNS=2000 FUZZ_SEED=… npm run test:run -- server/flows/fuzz: more of it, or one run again. */
const runs = Number(process.env.FUZZ_RUNS ?? 60);
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);

let service: Service;
beforeAll(async () => {
  service = await startService();
  for (const key of ["LOGIN_FAILURES_PER_IP", "OTP_VERIFY_PER_IP", "REGISTER_PER_IP"])
    await service.set(key, "off");
});
afterAll(() => service.stop());

/** The bodies that the contract allows: the envelope of success or error, and the webhook's own. */
function expectContractShape(method: string, path: string, { status, type, text }: FuzzResponse): void {
  expect(status).toBeLessThan(500);
  if (method === "HEAD") return;
  expect(type).toMatch(/^application\/json/);
  const body = JSON.parse(text) as {
    error?: { code?: unknown; message?: unknown };
    meta?: { timestamp?: unknown };
  };
  if (path.startsWith("/.well-known") || (path.includes("/webhook/") && ["GET", "POST"].includes(method)))
    return;
  expect(typeof body.meta?.timestamp).toBe("string");
  if (status < 400) return;
  expect(Object.keys(body).sort()).toEqual(["error", "meta"]);
  expect(Object.keys(body.error ?? {}).sort()).toEqual(["code", "details", "message"]);
  expect(body.error?.code).toMatch(/^[A-Z_]+$/);
  expect(text).not.toMatch(/node_modules|at \/|SQLSTATE|pg_|relation "/);
}

test(
  "no input makes a fault, breaks the shape of an answer or takes long",
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fuzzRequests, async (odd) => {
        expectContractShape(odd.method, odd.path, await sendFuzzRequest(service.url, odd));
      }),
      // What one input takes is bounded by the property's own time-out, not measured.
      { numRuns: runs * 10, seed, timeout: 20_000 },
    );
  },
);
