import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../testing/eventually.ts";
import { startService, type Service } from "../../../testing/service.ts";
import { respondWith, startWebhook, type Webhook } from "../../../testing/fake_webhook.ts";

const userId = randomUUID();
/** Sends the responses that the webhook holds back. */
const heldResponses: (() => void)[] = [];
let isHolding = false;

let service: Service;
let webhook: Webhook;
let server: Awaited<ReturnType<Service["startAnotherServer"]>>;
beforeAll(async () => {
  webhook = await startWebhook((request, response: ServerResponse) => {
    // The token is the session's id.
    const session = String(request.headers.authorization).split(" ")[1];
    const respond = respondWith(200, {
      ...{ "X-Hasura-Role": "user", "X-Hasura-User-Id": userId, "X-Hasura-Session-Id": session },
    });
    if (isHolding) heldResponses.push(() => respond(request, response));
    else respond(request, response);
  });
  service = await startService({ worker: false });
  server = await service.startAnotherServer({ AUTH_WEBHOOK_URL: webhook.url });
});
afterAll(async () => {
  await server.stop();
  await service.stop();
  webhook.stop();
});

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/v1/graphql`, "graphql-transport-ws");
  await once(socket, "open");
  const acknowledged = once(socket, "message");
  socket.send(
    JSON.stringify({ type: "connection_init", payload: { Authorization: `Bearer ${randomUUID()}` } }),
  );
  await acknowledged;
  return socket;
}

/** Gives the server time for further calls of the webhook. */
async function sendRequests(): Promise<void> {
  for (let count = 0; count < 5; count++) await server.client.get("/health");
}

test("after a loss of the listening connection, eight sockets at once are authorized again", async () => {
  const sockets = await Promise.all(Array.from({ length: 30 }, open));
  const callsBefore = webhook.requests.length;
  isHolding = true;
  await service.database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey listener' and datname = current_database()",
  );
  await eventually("the webhook is called", () => heldResponses.length >= 8);
  await sendRequests();
  expect(heldResponses).toHaveLength(8);
  isHolding = false;
  for (const respond of heldResponses.splice(0)) respond();
  await eventually("all are authorized", () => webhook.requests.length === callsBefore + 30);
  for (const socket of sockets) socket.terminate();
});
