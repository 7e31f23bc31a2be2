import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../testing/eventually.ts";
import { graphqlSocketUrl } from "../../../testing/graphql/graphql_client.ts";
import { test } from "../fixtures/external_webhook.ts";
import { respondWith } from "../../../testing/graphql/fake_webhook.ts";

const userId = randomUUID();
/** Sends the responses that the webhook holds back. */
const heldResponses = new Set<() => void>();
/** The most at once. Over all they are more on a slow machine: the server gives up a call after three seconds. */
let mostHeld = 0;
let isHolding = false;

test.beforeAll(({ webhook }) =>
  webhook.respond((request, response: ServerResponse) => {
    // The token is the session's id.
    const session = String(request.headers.authorization).split(" ")[1];
    const respond = respondWith(200, {
      "X-Hasura-Role": "user",
      "X-Hasura-User-Id": userId,
      "X-Hasura-Session-Id": session,
    });
    if (!isHolding) {
      respond(request, response);
      return;
    }
    const send = () => respond(request, response);
    heldResponses.add(send);
    response.once("close", () => heldResponses.delete(send));
    mostHeld = Math.max(mostHeld, heldResponses.size);
  }),
);

async function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, "graphql-transport-ws");
  await once(socket, "open");
  const acknowledged = once(socket, "message");
  socket.send(JSON.stringify({ type: "connection_init", payload: { Authorization: `Bearer ${randomUUID()}` } }));
  await acknowledged;
  return socket;
}

test("after a loss of the listening connection, eight sockets at once are authorized again", async ({
  webhook,
  webhookServer,
  database,
}) => {
  const sockets = await Promise.all(Array.from({ length: 30 }, () => open(graphqlSocketUrl(webhookServer.url))));
  const callsBefore = webhook.requests.length;
  isHolding = true;
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'latchkey listener' and datname = current_database()",
  );
  await eventually("the webhook is called", () => mostHeld >= 8);
  // Gives the server time for further calls of the webhook.
  for (let count = 0; count < 5; count++) await webhookServer.client.get("/health");
  expect(mostHeld).toBe(8);
  isHolding = false;
  for (const send of heldResponses) send();
  await eventually("all are authorized", () => webhook.requests.length >= callsBefore + 30);
  for (const socket of sockets) socket.terminate();
});
