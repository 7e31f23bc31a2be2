import zlib from "node:zlib";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { demoMessagesPath } from "../../server/pages/demo_messages.ts";
import { routes } from "../../server/rest/routes.ts";

const encodings = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
};
const decoders = [
  "createGunzip",
  "createInflate",
  "createInflateRaw",
  "createUnzip",
  "createBrotliDecompress",
  "createZstdDecompress",
] as const;
const webhook = "/api/v1/auth/webhook/authorize";
const id = "0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f";

/**
 * Every route of the table, and every other one that takes POST: method, path, media type, status for a body that is
 * encoded.
 */
const targets: [method: string, path: string, type: string, status: number | undefined][] = [
  ...routes.map(({ method, path, input }): [string, string, string, number | undefined] => [
    method,
    `/api/v1${path.replace(/\{\w+\}/, id)}`,
    input.body ? (input.reader.mediaTypes[0] ?? "") : "application/json",
    // Undefined: the route takes no body, so it leaves any unread.
    input.body ? 415 : undefined,
  ]),
  ["POST", "/v1/graphql", "application/json", 415],
  ["POST", webhook, "application/json", 401],
  ["POST", demoMessagesPath, "application/json", 415],
];

const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({ worker: false, console: true }))
  .extend("token", { scope: "file" }, async ({ client }) => tokensOf(await client.post("/auth/session/guest")))
  .extend(
    "send",
    ({ service, token }) =>
      (path: string, init: Omit<RequestInit, "headers"> & { headers: Record<string, string> }) => {
        const headers = { ...(path === "/v1/graphql" && bearer(token.access_token)), ...init.headers };
        return fetch(service.url + path, { ...init, headers });
      },
  );
let decoded: string[] = [];
beforeEach(() => {
  decoded = [];
  for (const name of decoders) {
    const create = zlib[name] as () => never;
    vi.spyOn(zlib, name).mockImplementation(() => {
      decoded.push(name);
      return create();
    });
  }
});
afterEach(() => void vi.restoreAllMocks());

test.for(targets)("%s %s decodes no body, whatever its encoding", async ([method, path, type, status], { send }) => {
  if (method === "GET") return;
  const text = type === "application/json" ? "{}" : "a=b";
  const plain = await send(path, { method, body: text, headers: { "content-type": type } });
  for (const [encoding, encode] of Object.entries(encodings)) {
    const headers = { "content-type": type, "content-encoding": encoding };
    const answer = await send(path, { method, body: new Uint8Array(encode(text)), headers });
    expect([encoding, answer.status]).toEqual([encoding, status ?? plain.status]);
    expect(JSON.stringify(await answer.json())).toContain(status === 415 ? "Content-Encoding" : "");
  }
  expect(decoded).toEqual([]);
});

test.for([["identity"], ["Identity"], [""]])("the encoding %j is none", async ([encoding = ""], { client }) => {
  const { code } = await client.post("/auth/login", {}, { "content-encoding": encoding });
  expect(code).toBe("MISSING_FIELDS");
});

test.for([["x-gzip"], ["gzip, identity"], ["identity, identity"], ["nope"]])(
  "the encoding %j is refused",
  async ([encoding = ""], { client }) => {
    const { status } = await client.post("/auth/login", {}, { "content-encoding": encoding });
    expect(status).toBe(415);
  },
);

const jsonTargets = targets.filter(([method, , type, status]) => {
  return method !== "GET" && type === "application/json" && status === 415;
});
test.for(jsonTargets)(
  "%s %s reads JSON by every name of UTF-8, and no other charset",
  async ([method, path], { send }) => {
    const post = (type: string, body: string | Uint8Array<ArrayBuffer> = "{}") =>
      send(path, { method, body, headers: { "content-type": type } });
    const plain = await post("application/json");
    expect(plain.status).not.toBe(415);
    for (const charset of ["utf-8", "UTF-8", "utf8", "UTF8", '"utf-8"', '"utf8"', " utf8"])
      expect([charset, (await post(`application/json;charset=${charset}`)).status]).toEqual([charset, plain.status]);
    const utf16 = new Uint8Array(Buffer.from("{}", "utf16le"));
    for (const charset of ["latin1", "iso-8859-1", "utf-16", "utf-16le", "utf-7", "utf-32", "nope"])
      expect([charset, (await post(`application/json; charset=${charset}`, utf16)).status]).toEqual([charset, 415]);
  },
);

test("a form may name UTF-8 as well", async ({ client }) => {
  // The form is read, and only then found to have no signature.
  for (const [charset, status] of [
    ["utf8", 401],
    ["UTF-8", 401],
    ["utf-16", 415],
  ] as const) {
    const headers = { "content-type": `application/x-www-form-urlencoded; charset=${charset}` };
    expect([charset, (await client.post("/otp/receipts/twilio", "a=b", headers)).status]).toEqual([charset, status]);
  }
});

test("the webhook takes a GET that repeats its caller's Content-Encoding, because that has no body", async ({
  service,
  token,
}) => {
  const headers = { ...bearer(token.access_token), "content-encoding": "gzip" };
  expect((await fetch(service.url + webhook, { headers })).status).toBe(200);
});
