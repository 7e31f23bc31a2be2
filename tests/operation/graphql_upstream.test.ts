import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { openRawWebSocket } from "../../testing/graphql/raw_websocket.ts";
import { startServer } from "../../server/server.ts";

const test = baseTest.extend("start", ({ database }, { onCleanup }) => {
  const servers: { stop: () => Promise<void> }[] = [];
  onCleanup(async () => {
    for (const server of servers) await server.stop();
  });
  return async (GRAPHQL_UPSTREAM: string, TRUST_PROXY = "off") => {
    const env = { ...database.env, PORT: "0", HOST: "127.0.0.1", GRAPHQL_UPSTREAM, TRUST_PROXY };
    const server = await startServer(serverConfig(env), createLog("test", "silent"));
    servers.push(server);
    return server.url.replace("localhost", "127.0.0.1");
  };
});

const ask = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: '{"query":"{ user_session { id } }"}',
  });

/** An upstream that answers with the headers that it received. */
async function startEcho(): Promise<string> {
  const http = createServer((request, response) => response.end(JSON.stringify(request.headers)));
  http.on("upgrade", (request, socket) => {
    socket.end(`HTTP/1.1 418 No\r\nX-Received: ${JSON.stringify(request.headers)}\r\nContent-Length: 0\r\n\r\n`);
  });
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
  const url = await start(await startEcho(), "loopback");
  const received = (await (await ask(url, forged)).json()) as Record<string, string>;
  expect(received["x-forwarded-for"]).toBe("203.0.113.7");
});
