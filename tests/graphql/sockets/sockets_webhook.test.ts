import { once } from "node:events";
import { expect } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../testing/eventually.ts";
import { graphqlSocketUrl } from "../../../testing/graphql/graphql_client.ts";
import { guestClaims, sessionId, test as baseTest } from "../fixtures/external_webhook.ts";
import { respondWith } from "../../../testing/graphql/fake_webhook.ts";

const authorize = respondWith(200, guestClaims);

const test = baseTest
  .extend("open", ({ webhookServer }) => async (): Promise<WebSocket> => {
    const socket = new WebSocket(graphqlSocketUrl(webhookServer.url), "graphql-transport-ws");
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "connection_init", payload: { Authorization: "Bearer x" } }));
    return socket;
  })
  .extend(
    "revoke",
    ({ database }) =>
      () =>
        database.query("select pg_notify('session_changed', private.notification_digest($1))", [sessionId]),
  );

test("a socket is closed when its session was revoked while the webhook failed", async ({ webhook, open, revoke }) => {
  webhook.respond(authorize);
  const socket = await open();
  const closed = once(socket, "close");
  await once(socket, "message");
  webhook.respond(respondWith(500, {}));
  const callsBefore = webhook.requests.length;
  await revoke();
  await eventually("the webhook fails", () => webhook.requests.length > callsBefore);
  webhook.respond(respondWith(401, {}));
  expect(await closed).toEqual([4401, expect.anything()]);
});

test("a socket that is closed while it is being authorized is not authorized again", async ({
  webhook,
  open,
  revoke,
}) => {
  let sendResponse = () => undefined as unknown;
  webhook.respond((request, response) => (sendResponse = () => authorize(request, response)));
  const callsBefore = webhook.requests.length;
  const socket = await open();
  await eventually("the webhook is called", () => webhook.requests.length > callsBefore);
  const closed = once(socket, "close");
  socket.terminate();
  await closed;
  sendResponse();

  webhook.respond(authorize);
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
