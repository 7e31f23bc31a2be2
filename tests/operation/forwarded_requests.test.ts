import { expect } from "vitest";
import { openRawWebSocket } from "../../testing/graphql/raw_websocket.ts";
import { ask, send, startEcho, test } from "./fixtures/upstream_fixtures.ts";

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
