import { once } from "node:events";
import { createServer, request, type IncomingMessage, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { serverConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { createLog } from "../../runtime/log.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { openRawWebSocket } from "../../testing/graphql/raw_websocket.ts";
import { startServer, type RunningServer } from "../../server/server.ts";

const test = baseTest
  .extend("servers", ({}, { onCleanup }) => {
    const servers: RunningServer[] = [];
    onCleanup(async () => {
      for (const server of servers) await server.stop();
    });
    return servers;
  })
  .extend("start", ({ database, servers }) => async (GRAPHQL_UPSTREAM: string, more: Environment = {}) => {
    const env = { ...database.env, PORT: "0", HOST: "127.0.0.1", GRAPHQL_UPSTREAM, TRUST_PROXY: "off", ...more };
    const server = await startServer(serverConfig(env), createLog("test", "silent"));
    servers.push(server);
    return server.url.replace("localhost", "127.0.0.1");
  });

const ask = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: '{"query":"{ user_session { id } }"}',
  });

const echoHeaders: RequestListener = ({ headers }, response) => response.end(JSON.stringify(headers));

/** An upstream that answers with the headers that it received, and refuses upgrades with them. */
async function startEcho(answer = echoHeaders, keepAliveTimeout = 600_000): Promise<string> {
  const http = createServer({ keepAliveTimeout }, answer);
  http.on("upgrade", (request, socket) => {
    socket.end(`HTTP/1.1 418 No\r\nX-Received: ${JSON.stringify(request.headers)}\r\nContent-Length: 0\r\n\r\n`);
  });
  http.maxHeadersCount = 0;
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

test("off: there is no GraphQL, no console and no socket", async ({ start }) => {
  const url = await start("off");
  expect((await ask(url)).status).toBe(404);
  expect((await fetch(`${url}/console`)).status).toBe(404);
  const socket = await openRawWebSocket(`${url}/v1/graphql`);
  expect(socket.answer).toMatch(/^HTTP\/1\.1 404 /);
  socket.socket.destroy();
});

test("while the upstream is away GraphQL answers 503 in its own shape, and REST goes on", async ({ start }) => {
  const url = await start("http://127.0.0.1:1");
  const answer = await ask(url);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(answer.headers.get("x-request-id")).toMatch(/./);
  expect(await answer.json()).toEqual({
    errors: [
      {
        message: "The service cannot take this request now. Try again in a moment.",
        extensions: { path: "$", code: "unexpected" },
      },
    ],
  });
  const socket = await openRawWebSocket(`${url}/v1/graphql`);
  expect(socket.answer).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: \d+\r\n/is);
  await socket.closed;
  expect((await fetch(`${url}/api/v1/auth/session/guest`, { method: "POST" })).status).toBe(200);
});

test("a page of CORS_ORIGINS can read the answer while the upstream is away, which has the headers of every other", async ({
  start,
}) => {
  const origin = "https://app.example";
  const url = await start("http://127.0.0.1:1", { CORS_ORIGINS: origin });
  const preflight = await fetch(`${url}/v1/graphql`, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
  });
  expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
  const answer = await ask(url, { origin });
  expect(answer.status).toBe(503);
  const rest = await fetch(`${url}/api/v1/health`, { headers: { origin } });
  const ofOneAnswer = ["cache-control", "content-length", "date", "retry-after", "x-request-id"];
  const common = ({ headers }: Response) => [...headers].filter(([name]) => !ofOneAnswer.includes(name));
  expect(common(answer)).toEqual(common(rest));
  expect(common(answer)).toContainEqual(["access-control-allow-origin", origin]);
  expect(common(answer)).toContainEqual(["x-content-type-options", "nosniff"]);
});

test("GRAPHQL_UPSTREAM=start is refused outside of npm start", async ({ start }) => {
  await expect(start("start")).rejects.toThrow("GRAPHQL_UPSTREAM=start is for npm start");
});

const forged = {
  "x-forwarded-for": "203.0.113.7",
  forwarded: "for=203.0.113.7",
  "x-forwarded-host": "evil.example",
  "x-request-id": "the-id-of-this-request",
};

test("a client cannot forge its address through the forwarding", async ({ start }) => {
  const url = await start(await startEcho());
  const received = (await (await ask(url, forged)).json()) as Record<string, string>;
  expect(received).toMatchObject({
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-host": new URL(url).host,
    "x-request-id": forged["x-request-id"],
  });
  expect(received).not.toHaveProperty("forwarded");
  const socket = await openRawWebSocket(`${url}/v1/graphql`, forged);
  expect(socket.answer).toMatch(/^HTTP\/1\.1 418 /);
  expect(socket.answer).toContain('"x-forwarded-for":"127.0.0.1"');
  socket.socket.destroy();
});

test("behind a proxy of TRUST_PROXY the client is the one that the proxy names", async ({ start }) => {
  const url = await start(await startEcho(), { TRUST_PROXY: "loopback" });
  const received = (await (await ask(url, forged)).json()) as Record<string, string>;
  expect(received["x-forwarded-for"]).toBe("203.0.113.7");
});

/** Sends a request with the headers as they are, which fetch would not. */
async function send(url: string, headers: Record<string, string | string[]>, path = "/v1/graphql") {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path, method: "POST", headers });
  sent.end("{}");
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const body = await text(answer);
  return { status: answer.statusCode, headers: answer.headers, received: JSON.parse(body) as Record<string, string> };
}

test("headers about the client's own connection are not passed on, whatever they name", async ({ start }) => {
  const url = await start(await startEcho());
  const { headers, received } = await send(url, {
    connection: "close, upgrade, x-forwarded-for, authorization",
    upgrade: "h2c",
    "http2-settings": "AAMAAABkAAQAoAAAAAIAAAAA",
    "proxy-connection": "close",
    "keep-alive": "timeout=1",
    te: "trailers",
    authorization: "Bearer x",
  });
  expect(received).toMatchObject({ connection: "keep-alive", authorization: "Bearer x" });
  for (const name of ["upgrade", "http2-settings", "proxy-connection", "keep-alive", "te"])
    expect(received).not.toHaveProperty(name);
  expect(headers.connection).toBe("close");
});

test("two Authorization headers reach GraphQL as two", async ({ start }) => {
  const url = await start(await startEcho(({ rawHeaders }, response) => response.end(JSON.stringify({ rawHeaders }))));
  const { received } = await send(url, { authorization: ["Bearer a", "Bearer b"] });
  expect((received.rawHeaders as unknown as string[]).filter((text) => text.startsWith("Bearer"))).toEqual([
    "Bearer a",
    "Bearer b",
  ]);
});

test("no header is left out because there are many: the last may narrow the request", async ({ start }) => {
  const url = await start(await startEcho());
  const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`a${index}`, ""]));
  const { received } = await send(url, { ...many, "x-hasura-role": "user" });
  expect(received["x-hasura-role"]).toBe("user");
});

test("a whole URL in the request line is its path, and other spellings of the path are none of GraphQL's", async ({
  start,
}) => {
  const url = await start(await startEcho(({ url: path }, response) => response.end(JSON.stringify({ path }))));
  for (const path of ["http://other.example/v1/graphql?a=//b", "/v1/graphql?a=//b"])
    expect((await send(url, {}, path)).received.path).toBe("/v1/graphql?a=//b");
  for (const path of [
    "//v1/graphql",
    "/v1/%67raphql",
    "/v1/graphql/",
    "/x/../v1/graphql",
    "/V1/graphql",
    "/ready/../v1/graphql",
  ])
    expect(await send(url, {}, path)).toMatchObject({ status: 404, received: { error: { code: "INVALID_REQUEST" } } });
});

test("a refused upgrade ends the connection, also of a client that keeps its half of it open", async ({ start }) => {
  const url = new URL(await start(await startEcho()));
  const socket = connect({ port: Number(url.port), host: url.hostname, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.write(`GET /v1/graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  socket.resume();
  await once(socket, "end");
  const writing = setInterval(() => socket.write("x"), 10);
  // Not once() of node:events, which the error rejects.
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(writing);
  expect(socket.errored).not.toBeNull();
});

test("a server that stops closes the connections of forwarded requests, too", async ({ start, servers }) => {
  const arrived = Promise.withResolvers<() => void>();
  const upstream = await startEcho((_request, response) => arrived.resolve(() => response.end("{}")));
  const answered = send(await start(upstream), { connection: "keep-alive" });
  const answer = await arrived.promise;
  const stopped = servers.pop()!.stop();
  answer();
  expect((await answered).headers.connection).toBe("close");
  await stopped;
});

test("with CONSOLE=off a server has no console, whatever GraphQL has", async ({ start }) => {
  const upstream = await startEcho();
  expect((await fetch(`${await start(upstream)}/console`)).status).toBe(200);
  const url = await start(upstream, { CONSOLE: "off" });
  for (const path of ["/console", "/console/static/ruru.js"]) expect((await fetch(url + path)).status).toBe(404);
});

test("a connection that GraphQL will close soon is not used again: the request would be lost", async ({ start }) => {
  const ports = new Set<unknown>();
  const answer: RequestListener = ({ socket }, response) => {
    ports.add(socket.remotePort);
    response.end("{}");
  };
  const url = await start(await startEcho(answer, 1_000));
  for (let times = 0; times < 2; times++) await (await ask(url)).text();
  expect(ports.size).toBe(2);
});
