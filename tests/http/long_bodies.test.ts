import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "vitest";
import { test as baseTest } from "../../testing/fixtures.ts";

const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({ worker: false }))
  /**
   * Sends a request's head and a part of its body, and returns what the server sends until it closes the connection.
   */
  .extend("sendPart", ({ service }) => async (head: string, part: string): Promise<string> => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    await once(socket, "connect");
    let received = "";
    socket.on("data", (chunk) => (received += chunk.toString()));
    // The server closes the connection before it has read everything.
    socket.on("error", () => undefined);
    socket.write(`${head}\r\nHost: x\r\nContent-Type: application/json\r\n${part}`);
    await once(socket, "close");
    return received;
  });
const long = "Content-Length: 10000000\r\n\r\n{";
/** Each piece is one byte, which the server would hold as a buffer of its own. */
const pieces = `Transfer-Encoding: chunked\r\n\r\n${"1\r\n \r\n".repeat(2_000)}`;
const endless = `Transfer-Encoding: chunked\r\n\r\n11170\r\n${"x".repeat(70_000)}\r\n`;

test.for([
  ["a route with a body", "POST /api/v1/auth/login HTTP/1.1", 413],
  ["a route without a body", "POST /api/v1/auth/session/guest HTTP/1.1", 200],
  ["no route", "POST /api/v1/nothing HTTP/1.1", 404],
  ["a probe", "GET /live HTTP/1.1", 200],
  ["the console", "GET /console HTTP/1.1", 200],
  ["GraphQL", "POST /v1/graphql HTTP/1.1", 401],
] as const)(
  "a long body at %s is answered before it ends, and the connection closed",
  async ([_what, head, status], { sendPart }) => {
    for (const part of [long, endless, pieces]) {
      const answer = await sendPart(head, part);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer.toLowerCase()).toContain("\r\nconnection: close\r\n");
    }
  },
);

test("a long body is refused by GraphQL and the webhook before it ends", async ({ client, sendPart }) => {
  const { access_token } = (await client.post("/auth/session/guest")).body.data as { access_token: string };
  const authorization = `Authorization: Bearer ${access_token}\r\n`;
  expect(await sendPart("POST /v1/graphql HTTP/1.1", authorization + long)).toMatch(/^HTTP\/1\.1 413 /);
  expect(await sendPart("POST /v1/graphql HTTP/1.1", authorization + endless)).toMatch(/^HTTP\/1\.1 413 /);
  expect(await sendPart("POST /v1/graphql HTTP/1.1", authorization + pieces)).toMatch(/^HTTP\/1\.1 413 /);
  const webhook = "POST /api/v1/auth/webhook/authorize HTTP/1.1";
  for (const part of [long, pieces]) expect(await sendPart(webhook, part)).toMatch(/^HTTP\/1\.1 401 /);
});

test("a client that sends a long body gets the answer, and the next request of fetch works", async ({ client }) => {
  const answer = await client.post("/auth/login", { phone: "9".repeat(5_000_000) });
  expect(answer.status).toBe(413);
  expect((await client.get("/health")).status).toBe(200);
});

test("a body that is a little too long does not cost the connection", async ({ service }) => {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  const body = JSON.stringify({ phone: "9".repeat(20_000) });
  const head = "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  socket.write("GET /live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString()));
  await once(socket, "close");
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
});
