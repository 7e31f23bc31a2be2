import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { createMessage } from "./fixtures/message_fixtures.ts";
import { createHttpProvider } from "./http.ts";
import { development, startGateway, message, send, serve } from "./fixtures/http_fixtures.ts";

test("a message is POSTed as JSON with recipient, text and id, and with the token where there is one", async () => {
  const { url, received } = await startGateway();
  expect(await send(url)).toEqual({ outcome: "sent" });
  expect(await send(url, { ...development, SMS_HTTP_TOKEN: "t0ken" })).toEqual({ outcome: "sent" });
  for (const { headers, times, ...body } of received) {
    expect(times.answeredAt).toBeGreaterThanOrEqual(times.receivedAt);
    expect(body).toEqual({
      to: "+12125550123",
      body: "735194 is your code",
      id: "01890000-0000-7000-8000-000000000000",
    });
    expect(headers["content-type"]).toBe("application/json");
  }
  expect(received.map(({ headers }) => headers.authorization)).toEqual([undefined, "Bearer t0ken"]);
});

test("a message is signed as Standard Webhooks where there is a signing secret, with the attempt's id", async () => {
  const { url, received } = await startGateway();
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const config = { ...development, SMS_HTTP_SIGNING_SECRET: secret };
  await send(url, config);
  const [id] = received.map(({ headers, ...body }) => {
    const payload = JSON.stringify({ to: body.to, body: body.body, id: body.id });
    new Webhook(secret).verify(payload, headers as Record<string, string>);
    const forged = () => new Webhook(secret).verify(`${payload} `, headers as Record<string, string>);
    expect(forged).toThrow("No matching signature");
    return headers["webhook-id"];
  });
  expect(id).toBe(`msg_${message(url).attempt_id}`);
});

test("the ids of India's registry go with the message", async () => {
  const { url, received } = await startGateway();
  const provider = createHttpProvider(development);
  await provider.send(
    createMessage("http", { url, entityId: "1101234567890123456", templateId: "1107234567890123456" }),
  );
  expect(received).toMatchObject([{ entityId: "1101234567890123456", templateId: "1107234567890123456" }]);
});

test.each([
  ...[200, 201, 202, 204].map((status) => [status, "sent"] as const),
  ...[400, 410, 422].map((status) => [status, "refused"] as const),
  ...[401, 402, 403, 404, 405, 409, 413, 429, 451].map((status) => [status, "declined"] as const),
  ...[408, 500, 502, 503, 504].map((status) => [status, "uncertain"] as const),
])("a gateway that answers %i: %s", async (status, outcome) => {
  const { url, behave } = await startGateway();
  behave(status);
  expect(await send(url)).toEqual(outcome === "sent" ? { outcome } : { outcome, reason: `HTTP ${status}` });
});

test.each([301, 302, 303, 307, 308])("a redirection by %i is declined and not followed", async (status) => {
  const other = await startGateway();
  const url = await serve((_request, response) => response.writeHead(status, { location: other.url }).end());
  expect(await send(url)).toEqual({ outcome: "declined", reason: `HTTP ${status}` });
  expect(other.received).toEqual([]);
});

test.each([
  ["120", () => "120", 120],
  ["the time in a minute", () => new Date(Date.now() + 60_000).toUTCString(), 60],
  ["100000000", () => "100000000", 86_400],
  ["soon", () => "soon", undefined],
])("a throttling gateway's Retry-After of %s is that many seconds", async (_what, header, seconds) => {
  const url = await serve((_request, response) => response.writeHead(429, { "retry-after": header() }).end());
  const { retryAfterSeconds } = await send(url);
  if (seconds === undefined) expect(retryAfterSeconds).toBeUndefined();
  else expect(Math.abs(retryAfterSeconds! - seconds)).toBeLessThanOrEqual(5);
});

test("a refused connection is unreachable: the SMS was not sent", async () => {
  expect(await send("http://127.0.0.1:1/")).toEqual({ outcome: "unreachable", reason: "ECONNREFUSED" });
});

test("a gateway that does not answer may have sent it: uncertain at the time-out", async () => {
  const { url, behave } = await startGateway();
  behave("silent");
  expect(await createHttpProvider(development, 3_000).send(message(url))).toEqual({
    outcome: "uncertain",
    reason: "TimeoutError",
  });
});

test("a gateway that closes the connection, or does not answer with HTTP, may have sent it: uncertain", async () => {
  const closingServer = await serve((request) => request.socket.destroy());
  expect((await send(closingServer)).outcome).toBe("uncertain");

  const nonHttpServer = createTcpServer((socket) => socket.end("735194 is your code\r\n")).listen(0, "127.0.0.1");
  await once(nonHttpServer, "listening");
  onTestFinished(() => void nonHttpServer.close());
  const result = await send(`http://127.0.0.1:${(nonHttpServer.address() as AddressInfo).port}/`);
  expect(result.outcome).toBe("uncertain");
});

test("the status decides, even if the body is long or never ends", async () => {
  const longBody = await serve((_request, response) => response.end("x".repeat(1_000_000)));
  expect(await send(longBody)).toEqual({ outcome: "sent" });
  const endlessBody = await serve((_request, response) => response.write("{"));
  expect(await send(endlessBody)).toEqual({ outcome: "sent" });
});

test("a reason contains no text of the message or of the gateway's response", async () => {
  const echo = await serve((request, response) => {
    response.writeHead(400, "735194 for +12125550123");
    request.pipe(response);
  });
  const results = await Promise.all([send(echo), send("http://127.0.0.1:1/735194"), send("735194"), send(null)]);
  expect(JSON.stringify(results)).not.toMatch(/735194|2125550123/);
});

test.each([[undefined], [null], [7], [""], ["gateway"], [{ href: "x" }]])("http.url of %j is declined", async (url) => {
  expect(await send(url)).toEqual({ outcome: "declined", reason: "http.url is not a URL" });
});
