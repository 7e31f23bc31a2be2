import { once } from "node:events";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";
import { answerMalformed } from "../../http/malformed.ts";

const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({ worker: false }))
  /** Sends bytes unchanged and returns everything that the server sends until it closes the connection. */
  .extend("send", ({ service }) => async (bytes: string): Promise<string> => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    await once(socket, "connect");
    // The server may close the connection before it has read everything.
    socket.on("error", () => undefined);
    socket.write(bytes, "latin1");
    return text(socket);
  });
function parse(answer: string): { statusLine: string; headers: string; body: unknown } {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  const [statusLine = "", ...headers] = head.split("\r\n");
  return { statusLine, headers: headers.join("\n"), body: JSON.parse(body) as unknown };
}

const specified = {
  error: {
    message: "The request is not valid.",
    code: "INVALID_REQUEST",
    details: { reason: "malformed" },
  },
  meta: { timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string, path: "", method: "" },
};

const login = "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

test.for<[string, string]>([
  ["no HTTP at all", "\u0016\u0003\u0001 hello\r\n\r\n"],
  ["another version of HTTP", "GET / HTTP/9.9\r\n\r\n"],
  ["an unknown method", "BREW /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["a header without a name", "GET /api/v1/health HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n"],
  ["a header with a NUL", "GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX: \u0000\r\n\r\n"],
  ["two lengths", `${login}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ["a length and chunks", `${login}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
])("%s gets the shape of every error", async ([_what, bytes], { send }) => {
  const { statusLine, headers, body } = parse(await send(bytes));
  expect(statusLine).toBe("HTTP/1.1 400 Bad Request");
  expect(headers).toContain("Content-Type: application/json; charset=utf-8");
  expect(headers).toContain("Connection: close");
  expect(headers).toMatch(/^X-Request-Id: [\da-f-]{36}$/m);
  expect(headers).toContain("Cache-Control: no-store");
  expect(body).toEqual(specified);
});

test("headers over 16 KiB get the shape of every error with 431", async ({ send }) => {
  const bytes = `GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(17_000)}\r\n\r\n`;
  const { statusLine, body } = parse(await send(bytes));
  expect(statusLine).toBe("HTTP/1.1 431 Request Header Fields Too Large");
  expect(body).toEqual(specified);
});

test("a request that takes too long gets the shape of every error with 408", async () => {
  const socket = new PassThrough();
  answerMalformed(Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
  const { statusLine, body } = parse(await text(socket));
  expect(statusLine).toBe("HTTP/1.1 408 Request Timeout");
  expect(body).toEqual(specified);
});

test("invalid chunks end a request that has begun, with one answer", async ({ send }) => {
  const answer = await send(`${login}Transfer-Encoding: chunked\r\n\r\nzz\r\n`);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(parse(answer).body).toEqual(specified);
});

const path = "/api/v1/health";
test("a request without a Host is refused (RFC 9112, 3.2), one of HTTP/1.0 needs none", async ({ send }) => {
  const ask = async (version: string) => parse(await send(`GET ${path} HTTP/${version}\r\nConnection: close\r\n\r\n`));
  const refused = await ask("1.1");
  expect(refused.statusLine).toBe("HTTP/1.1 400 Bad Request");
  expect(refused.body).toEqual({ ...specified, meta: { ...specified.meta, path, method: "GET" } });
  expect((await ask("1.0")).statusLine).toBe("HTTP/1.1 200 OK");
});

test.for<[string, string, string?]>([
  ["two Hosts", "Host: x\r\nHost: y\r\n"],
  ["two Hosts in other cases", "host: x\r\nHOST: x\r\n"],
  ["two Hosts of HTTP/1.0", "Host: x\r\nHost: y\r\n", "1.0"],
  ["a Host with a path", "Host: x/y\r\n"],
  ["a Host with user information", "Host: x@y\r\n"],
  ["a Host of two words", "Host: x y\r\n"],
  ["a port that is no number", "Host: x:y\r\n"],
])("a request with %s is refused (RFC 9112, 3.2)", async ([_what, host, version = "1.1"], { send }) => {
  const bytes = `GET ${path} HTTP/${version}\r\n${host}Connection: close\r\n\r\n`;
  const { statusLine, body } = parse(await send(bytes));
  expect(statusLine).toBe("HTTP/1.1 400 Bad Request");
  expect(body).toEqual({ ...specified, meta: { ...specified.meta, path, method: "GET" } });
});

test.for(["x", "api.example.com:3000", "192.0.2.7:80", "[2001:db8::1]:3000", "my_service", "x:", ""])(
  "the Host %j is accepted",
  async (host, { send }) => {
    const bytes = `GET /api/v1/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect(parse(await send(bytes)).statusLine).toBe("HTTP/1.1 200 OK");
  },
);

test("a request target with a host of its own is routed by its path, and needs a valid Host as well", async ({
  send,
}) => {
  const ask = async (hosts: string) => {
    const bytes = `GET http://y/api/v1/health HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`;
    return parse(await send(bytes)).statusLine;
  };
  expect(await ask("Host: x\r\n")).toBe("HTTP/1.1 200 OK");
  expect(await ask("")).toBe("HTTP/1.1 400 Bad Request");
  expect(await ask("Host: x\r\nHost: y\r\n")).toBe("HTTP/1.1 400 Bad Request");
});

test("an expectation that is unknown is ignored, as HTTP allows", async ({ send }) => {
  const answer = await send("GET /api/v1/health HTTP/1.1\r\nHost: x\r\nExpect: cake\r\nConnection: close\r\n\r\n");
  expect(parse(answer).statusLine).toBe("HTTP/1.1 200 OK");
});

test("a client that has disconnected gets no answer and causes no error", async ({ client }) => {
  const gone = new PassThrough();
  answerMalformed(Object.assign(new Error(), { code: "ECONNRESET" }), gone);
  expect([gone.destroyed, gone.read()]).toEqual([true, null]);
  expect((await client.get("/health")).status).toBe(200);
});
