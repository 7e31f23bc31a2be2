import type { RequestListener } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../testing/eventually.ts";
import { startService, type Service } from "../../../testing/service.ts";
import { respondWith, startWebhook, type Webhook } from "../../../testing/fake_webhook.ts";

const session = "01a1fd64-8547-7d13-aaf9-07053d8928f3";
const authorize = respondWith(200, { "X-Hasura-Role": "guest", "X-Hasura-Session-Id": session });

let service: Service;
let webhook: Webhook;
let url: string;
let stopServer: () => Promise<void>;
let respond: RequestListener = authorize;
beforeAll(async () => {
  webhook = await startWebhook((request, response) => respond(request, response));
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

test("a socket is closed when its session was revoked while the webhook failed", async () => {
  respond = authorize;
  const socket = await open();
  const closed = once(socket, "close");
  await once(socket, "message");
  respond = respondWith(500, {});
  const callsBefore = webhook.requests.length;
  await revoke();
  await eventually("the webhook fails", () => webhook.requests.length > callsBefore);
  respond = respondWith(401, {});
  expect(await closed).toEqual([4401, expect.anything()]);
});

test("a socket that is closed while it is being authorized is not authorized again", async () => {
  let sendResponse = () => undefined as unknown;
  respond = (request, response) => (sendResponse = () => authorize(request, response));
  const callsBefore = webhook.requests.length;
  const socket = await open();
  await eventually("the webhook is called", () => webhook.requests.length > callsBefore);
  const closed = once(socket, "close");
  socket.terminate();
  await closed;
  sendResponse();

  respond = authorize;
  const other = await open();
  await once(other, "message");
  const calls = webhook.requests.length;
  await revoke();
  // Each revocation authorizes only the socket that is still open.
  await eventually("it is called again", () => webhook.requests.length > calls);
  await revoke();
  await eventually("and once more", () => webhook.requests.length > calls + 1);
  expect(webhook.requests.length).toBe(calls + 2);
  other.close();
});
