import fc from "fast-check";
import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../rest/routes.ts";
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

const strings = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "+12125550100",
    "+1 212 555 0100",
    "123456",
    "PHONE",
    "EMAIL",
    "SIGNUP",
    "\u0000",
    "\ud800",
    "' or 1=1 --",
    "{}",
    "null",
    "__proto__",
  ),
);
const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: strings },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);
const fields = [
  "phone",
  "password",
  "email",
  "otp",
  "newPassword",
  "refresh_token",
  "identifier",
  "identifierType",
  "purpose",
  "__proto__",
];
const object = fc.dictionary(fc.constantFrom(...fields), values, { maxKeys: 8 });
const bodies = fc.oneof(
  object.map((value) => JSON.stringify(value)),
  object.map((value) => JSON.stringify({ input: value })),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.integer({ min: 100, max: 3_000 }).map((depth) => "[".repeat(depth)),
  fc.integer({ min: 1, max: 30_000 }).map((size) => JSON.stringify({ phone: "9".repeat(size) })),
);
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const headers = fc.record(
  {
    "content-type": fc.oneof(
      fc.constantFrom(
        "application/json",
        "application/json; charset=utf-16",
        "text/plain",
        "application/x+json",
      ),
      headerText,
    ),
    "content-encoding": fc.constantFrom("gzip", "identity", "br", "nope"),
    authorization: fc.oneof(
      headerText,
      headerText.map((text) => `Bearer ${text}`),
      fc.constant("Bearer a.b.c"),
    ),
    "x-forwarded-for": fc.oneof(headerText, fc.ipV4(), fc.ipV6()),
    "x-request-id": headerText,
    "x-webhook-secret": headerText,
  },
  { requiredKeys: ["content-type"] },
);
const paths = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...routes.map(({ path }) => `/api/v1${path}`),
      "/api/v1/auth/webhook/authorize",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "/api/v1/health",
      "/.well-known/jwks.json",
      "/api/v1//auth/login",
      "/api/v1/auth/login/",
      "/%00",
      "/api/v1/auth/login?x[]=1&__proto__=2",
    ),
  },
);
const methods = fc.oneof(
  { weight: 8, arbitrary: fc.constant("POST") },
  fc.constantFrom("GET", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"),
);

interface Answer {
  status: number;
  type: string;
  text: string;
}

function ask(method: string, path: string, given: Record<string, string>, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      service.url + path,
      { method, headers: { ...given, "content-length": Buffer.byteLength(body) } },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString()));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, type: String(response.headers["content-type"]), text }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The bodies that the contract allows: the envelope of success or error, and the webhook's own. */
function expectContractShape(method: string, path: string, { status, type, text }: Answer): void {
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
      fc.asyncProperty(methods, paths, headers, bodies, async (method, path, given, body) => {
        const answer = await ask(method, path, given, body);
        expectContractShape(method, path, answer);
      }),
      // What one input takes is bounded by the property's own time-out, not measured.
      { numRuns: runs * 10, seed, timeout: 20_000 },
    );
  },
);
