import type { RequestListener } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../testing/eventually.ts";
import { startService, type Service } from "../../../testing/service.ts";
import { respondWith, startWebhook, type Webhook } from "../../../testing/fake_webhook.ts";

const session = "01a1fd64-8547-7d13-aaf9-07053d8928f3";
const letIn = respondWith(200, { "X-Hasura-Role": "guest", "X-Hasura-Session-Id": session });

let service: Service;
let webhook: Webhook;
let url: string;
let stopServer: () => Promise<void>;
let answer: RequestListener = letIn;
beforeAll(async () => {
  webhook = await startWebhook((request, response) => answer(request, response));
  service = await startService({ worker: false });
  const started = await service.startAnotherServer({ AUTH_WEBHOOK_URL: webhook.url });
  url = `${started.url.replace("http", "ws")}/v1/graphql`;
  stopServer = started.stop;
});
afterAll(async () => {
  await stopServer();
  await service.stop();
  webhook.stop();
});

async function open(): Promise<WebSocket> {
  const socket = new WebSocket(url, "graphql-transport-ws");
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload: { Authorization: "Bearer x" } }));
  return socket;
}

const revoke = () =>
  service.database.query("select pg_notify('session_changed', $1)", [
    JSON.stringify({ session_id: session, user_id: null }),
  ]);

test("a webhook that fails while a session is revoked is asked until it says so", async () => {
  answer = letIn;
  const socket = await open();
  const closed = once(socket, "close");
  await once(socket, "message");
  answer = respondWith(500, {});
  const before = webhook.requests.length;
  await revoke();
  await eventually("it is asked, and fails", () => webhook.requests.length > before);
  answer = respondWith(401, {});
  expect(await closed).toEqual([4401, expect.anything()]);
});

test("whoever leaves while the webhook is asked is forgotten", async () => {
  let letGo = () => undefined as unknown;
  answer = (request, response) => (letGo = () => letIn(request, response));
  const before = webhook.requests.length;
  const socket = await open();
  await eventually("it is asked", () => webhook.requests.length > before);
  const closed = once(socket, "close");
  socket.terminate();
  await closed;
  letGo();

  answer = letIn;
  const other = await open();
  await once(other, "message");
  const asked = webhook.requests.length;
  await revoke();
  // Of the two only the one that is still there is asked for again.
  await eventually("it is asked again", () => webhook.requests.length > asked);
  await revoke();
  await eventually("and again", () => webhook.requests.length > asked + 1);
  expect(webhook.requests.length).toBe(asked + 2);
  other.close();
});
