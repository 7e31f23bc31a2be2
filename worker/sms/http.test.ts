import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { createServer, type RequestListener } from "node:http";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { startSmsGateway } from "../../testing/sms_gateway.ts";
import type { Message } from "../delivery.ts";
import { createHttpProvider } from "./http.ts";
import type { SendResult } from "./provider.ts";
import { createProviders } from "./providers.ts";

const development = {
  production: false,
  ...{ SMS_HTTP_TOKEN: undefined, SMS_HTTP_SIGNING_SECRET: undefined, SMS_HTTP_HOSTS: [] },
};

const message = (url: unknown): Message => ({
  otp_id: "01890000-0000-7000-8000-000000000000",
  provider: "http",
  options: { url },
  recipient: "+12125550123",
  body: "735194 is your code",
});

const send = (
  url: unknown,
  config = development as Parameters<typeof createHttpProvider>[0],
): Promise<SendResult> => createProviders(config as Parameters<typeof createProviders>[0]).send(message(url));

async function gateway() {
  const smsGateway = await startSmsGateway();
  onTestFinished(() => smsGateway.stop());
  return smsGateway;
}

/** Starts an HTTP server and returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test("a message is POSTed as JSON with recipient, text and id, and with the token where there is one", async () => {
  const { url, received } = await gateway();
  expect(await send(url)).toEqual({ outcome: "sent" });
  expect(await send(url, { ...development, SMS_HTTP_TOKEN: "t0ken" })).toEqual({ outcome: "sent" });
  for (const { headers, ...body } of received) {
    expect(body).toEqual({
      to: "+12125550123",
      body: "735194 is your code",
      id: "01890000-0000-7000-8000-000000000000",
    });
    expect(headers["content-type"]).toBe("application/json");
  }
  expect(received.map(({ headers }) => headers.authorization)).toEqual([undefined, "Bearer t0ken"]);
});

test("a message is signed as Standard Webhooks where there is a signing secret, each time with another id", async () => {
  const { url, received } = await gateway();
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const config = { ...development, SMS_HTTP_SIGNING_SECRET: secret };
  await send(url, config);
  await send(url, config);
  const ids = received.map(({ headers, ...body }) => {
    const payload = JSON.stringify({ to: body.to, body: body.body, id: body.id });
    new Webhook(secret).verify(payload, headers as Record<string, string>);
    const forged = () => new Webhook(secret).verify(`${payload} `, headers as Record<string, string>);
    expect(forged).toThrow("No matching signature");
    return headers["webhook-id"];
  });
  expect(new Set(ids).size).toBe(2);
});

test.each([
  ...[200, 201, 202, 204].map((status) => [status, "sent"] as const),
  ...[400, 401, 403, 404, 429].map((status) => [status, "refused"] as const),
  ...[408, 500, 502, 503, 504].map((status) => [status, "uncertain"] as const),
])("a gateway that answers %i: %s", async (status, outcome) => {
  const { url, behave } = await gateway();
  behave(status);
  expect(await send(url)).toEqual(outcome === "sent" ? { outcome } : { outcome, reason: `HTTP ${status}` });
});

test.each([301, 302, 303, 307, 308])("a redirection by %i is refused and not followed", async (status) => {
  const other = await gateway();
  const url = await serve((_request, response) => response.writeHead(status, { location: other.url }).end());
  expect(await send(url)).toEqual({ outcome: "refused", reason: `HTTP ${status}` });
  expect(other.received).toEqual([]);
});

test("a refused connection is unreachable: the SMS was not sent", async () => {
  expect(await send("http://127.0.0.1:1/")).toEqual({ outcome: "unreachable", reason: "ECONNREFUSED" });
});

test("a gateway that does not answer may have sent it: uncertain at the time-out", async () => {
  const { url, behave } = await gateway();
  behave("silent");
  expect(await createHttpProvider(development, 200).send(message(url))).toEqual({
    outcome: "uncertain",
    reason: "TimeoutError",
  });
});

test("a gateway that closes the connection, or does not answer with HTTP, may have sent it: uncertain", async () => {
  const closingServer = await serve((request) => request.socket.destroy());
  expect((await send(closingServer)).outcome).toBe("uncertain");

  const nonHttpServer = createTcpServer((socket) => socket.end("735194 is your code\r\n")).listen(
    0,
    "127.0.0.1",
  );
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
  const results = await Promise.all([
    send(echo),
    send("http://127.0.0.1:1/735194"),
    send("735194"),
    send(null),
  ]);
  expect(JSON.stringify(results)).not.toMatch(/735194|2125550123/);
});

test.each([[undefined], [null], [7], [""], ["gateway"], [{ href: "x" }]])(
  "http.url of %j is refused",
  async (url) => {
    expect(await send(url)).toEqual({ outcome: "refused", reason: "http.url is not a URL" });
  },
);

const production = { ...development, production: true, SMS_HTTP_HOSTS: ["localhost", "sms.example"] };

test("in production http is refused, on a listed host too, and nothing is sent", async () => {
  const { url, received } = await gateway();
  const listed = { ...production, SMS_HTTP_HOSTS: [new URL(url).hostname] };
  expect(await send(url, listed)).toEqual({
    outcome: "refused",
    reason: "http.url is not https, which production requires",
  });
  expect(received).toEqual([]);
});

test.each([
  ...["https://127.0.0.1:1/", "https://evil.example/", "https://sms.example.evil.example/"],
  ...["https://sms.example@evil.example/", "https://evil.example/?sms.example", "https://sms.example./"],
])("in production %s, whose host is not listed, is refused", async (url) => {
  expect(await send(url, production)).toEqual({
    outcome: "refused",
    reason: "the host of http.url is not in SMS_HTTP_HOSTS",
  });
});

test("in production a message is sent to https on a listed host", async () => {
  expect(await send("https://LOCALHOST:1/", production)).toEqual({
    outcome: "unreachable",
    reason: "ECONNREFUSED",
  });
});

test("a host without a valid certificate receives nothing", async () => {
  const { url, received } = await gateway();
  const { port } = new URL(url);
  expect((await send(`https://localhost:${port}/`, production)).outcome).not.toBe("sent");
  expect(received).toEqual([]);
});
