import fc from "fast-check";
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { jsonSchemaOf, type Json } from "../../server/rest/openapi/schemas.ts";
import { routes } from "../../server/rest/routes.ts";

const strings = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "+12125550100",
    "+1 212 555 0100",
    "person1@example.com",
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
/** The members of a route's body, however deep. */
function membersOf(schema: Json): string[] {
  if (schema === null || typeof schema !== "object") return [];
  if (Array.isArray(schema)) return schema.flatMap(membersOf);
  const { properties } = schema;
  const own = properties && typeof properties === "object" ? Object.keys(properties) : [];
  return [...own, ...Object.values(schema).flatMap(membersOf)];
}
const bytes = fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array).toString("base64url"));
/** What a browser answers for a passkey, with whatever bytes. */
const credential = fc.record(
  {
    challenge_id: fc.uuid(),
    factor_id: fc.uuid(),
    credential: fc.record({
      id: bytes,
      rawId: bytes,
      type: fc.constant("public-key"),
      clientExtensionResults: fc.constant({}),
      response: fc.record(
        {
          clientDataJSON: fc.oneof(
            bytes,
            fc.json().map((text) => Buffer.from(text).toString("base64url")),
          ),
          authenticatorData: bytes,
          signature: bytes,
          attestationObject: bytes,
          userHandle: bytes,
          transports: fc.array(strings, { maxLength: 3 }),
        },
        { requiredKeys: ["clientDataJSON"] },
      ),
    }),
  },
  { requiredKeys: ["challenge_id"] },
);
/** A body for a route that reads these fields. */
function bodiesOf(fields: string[]) {
  const object = fc.oneof(
    { weight: 4, arbitrary: fc.dictionary(fc.constantFrom("__proto__", ...fields), values, { maxKeys: 8 }) },
    { weight: 1, arbitrary: credential },
  );
  return fc.oneof(
    { weight: 2, arbitrary: object.map((value) => JSON.stringify(value)) },
    object.map((value) => JSON.stringify({ input: value })),
    strangeBodies,
  );
}
const strangeBodies = fc.oneof(
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
        "application/x-www-form-urlencoded",
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
    "x-twilio-signature": headerText,
    "webhook-id": headerText,
    "webhook-timestamp": fc.constantFrom("0", "now", String(Math.floor(Date.now() / 1_000))),
    "webhook-signature": headerText.map((text) => `v1,${text}`),
  },
  { requiredKeys: ["content-type"] },
);
/** Fields of a receipt that a vendor might send: signed fields reach the database. */
export const receiptFields = fc.dictionary(
  fc.constantFrom(
    "MessageSid",
    "MessageStatus",
    "ErrorCode",
    "CallStatus",
    "messageId",
    "status",
    "err-code",
    "price",
    "client-ref",
    "id",
    "error",
  ),
  fc.oneof(
    strings,
    fc.constantFrom("delivered", "failed", "0.0333", "1e999", "-1", "9".repeat(40), "x".repeat(101)),
    fc.uuid(),
  ),
  { maxKeys: 8 },
);

const targets = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...routes.map(({ path, input }) => ({
        path: `/api/v1${path.replace(/\{\w+\}/g, randomUUID())}`,
        fields: input.body ? membersOf(jsonSchemaOf(input.body, "input")) : [],
      })),
      { path: "/api/v1/auth/webhook/authorize", fields: [] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        "/api/v1/health",
        "/.well-known/jwks.json",
        "/api/v1//auth/login",
        "/api/v1/auth/login/",
        "/%00",
        "/api/v1/auth/login?x[]=1&__proto__=2",
      )
      .map((path) => ({ path, fields: ["phone", "password"] })),
  },
);
const methods = fc.oneof(
  { weight: 8, arbitrary: fc.constant("POST") },
  fc.constantFrom("GET", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"),
);

/** Generates requests that no well-behaved client sends: unusual methods, paths, headers, encodings and bodies. */
export const fuzzRequests = targets.chain(({ path, fields }) =>
  fc.record({ method: methods, path: fc.constant(path), headers, body: bodiesOf(fields) }),
);

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface FuzzResponse {
  status: number;
  type: string;
  text: string;
}

/** Sends the request unchanged. fetch would reject or correct some of them. */
export function sendFuzzRequest(url: string, { method, path, headers, body }: FuzzRequest): Promise<FuzzResponse> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      url + path,
      { method, headers: { ...headers, "content-length": Buffer.byteLength(body) } },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString()));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            type: String(response.headers["content-type"]),
            text,
          }),
        );
      },
    );
    clientRequest.on("error", reject);
    clientRequest.end(body);
  });
}
