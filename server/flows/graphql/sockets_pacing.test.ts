import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../testing/eventually.ts";
import { startService, type Service } from "../../../testing/service.ts";
import { respondWith, startWebhook, type Webhook } from "../../../testing/fake_webhook.ts";

const userId = randomUUID();
/** What the webhook has not answered yet, while it holds its answers back. */
const held: (() => void)[] = [];
let holding = false;

let service: Service;
let webhook: Webhook;
let server: Awaited<ReturnType<Service["startAnotherServer"]>>;
beforeAll(async () => {
  webhook = await startWebhook((request, response: ServerResponse) => {
    // The token is the session.
    const session = String(request.headers.authorization).split(" ")[1];
    const answer = respondWith(200, {
      ...{ "X-Hasura-Role": "user", "X-Hasura-User-Id": userId, "X-Hasura-Session-Id": session },
    });
    if (holding) held.push(() => answer(request, response));
    else answer(request, response);
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

/** Requests that the server answers only after what came before them was begun. */
async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await server.client.get("/health");
}

test("when the listening connection was lost, sockets are authorized again a few at a time", async () => {
  const sockets = await Promise.all(Array.from({ length: 30 }, open));
  const asked = webhook.requests.length;
  holding = true;
  await service.database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey listener' and datname = current_database()",
  );
  await eventually("some are asked for", () => held.length >= 8);
  await turns();
  expect(held).toHaveLength(8);
  holding = false;
  for (const answer of held.splice(0)) answer();
  await eventually("all are asked for", () => webhook.requests.length === asked + 30);
  for (const socket of sockets) socket.terminate();
});
