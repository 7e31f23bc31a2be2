import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished } from "vitest";
import { openRawWebSocket } from "../../testing/graphql/raw_websocket.ts";
import { ask, send, startEcho, test } from "./fixtures/upstream_fixtures.ts";

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
