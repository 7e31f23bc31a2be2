import { once } from "node:events";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { bearer, tokensOf } from "../../../testing/client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { askGraphql } from "../../../testing/graphql_client.ts";
import { startService, type Service } from "../../../testing/service.ts";
import { userCostlyQueue } from "../../graphql/engine/limits.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ worker: false });
});
afterAll(() => service.stop());

const newToken = async () => tokensOf(await service.client.post("/auth/session/guest")).access_token;
const tooManyRequests = "Too many requests of this user, or of guests at this address";

test("one costly request of a payer runs at a time, and a limited number waits", async () => {
  const guest = askGraphql(service.url, bearer(await newToken()));
  const costly = "{ platform_otp_transaction(limit: 1000) { id identifier purpose } }";
  expect((await guest(costly)).code).toBeUndefined();
  const holder = new pg.Client({ connectionString: service.database.superuserUrl });
  await holder.connect();
  await holder.query("begin; lock table platform.otp_transaction");
  const waiting = async () => {
    const rows = await service.database.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'latchkey graphql'
       and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  let maxWaiting = 0;
  let timeouts = 0;
  const send = async () => {
    const response = await guest(costly);
    if (response.code === "timeout") timeouts++;
    return response;
  };
  const responses = Promise.all(Array.from({ length: 2 * userCostlyQueue.perPayer }, send));
  await eventually("two have timed out", async () => {
    maxWaiting = Math.max(maxWaiting, await waiting());
    return timeouts >= 2;
  });
  await holder.end();
  expect(maxWaiting).toBe(1);
  const refused = (await responses).filter(({ message }) => message?.includes(tooManyRequests));
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
});

/**
 * Sends so many new documents in one packet, on a guest's socket from 192.0.2.1.
 * @returns a function that returns the messages received so far
 */
async function sendNewDocuments(name: string, count: number): Promise<() => string[]> {
  const headers = { "x-forwarded-for": "192.0.2.1" };
  const url = `${service.url.replace("http", "ws")}/v1/graphql`;
  const token = await newToken();
  const socket = new WebSocket(url, "graphql-transport-ws", { headers });
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload: { Authorization: `Bearer ${token}` } }));
  await once(socket, "message");
  const received: string[] = [];
  socket.on("message", (data: Buffer) => {
    const text = data.toString();
    if (!text.includes('"complete"')) received.push(text);
  });
  const raw = (socket as unknown as { _socket: { cork: () => void; uncork: () => void } })._socket;
  raw.cork();
  for (let index = 0; index < count; index++)
    socket.send(
      JSON.stringify({
        ...{ id: String(index), type: "subscribe" },
        payload: { query: `{ ${name}${index}: user_session { id } }` },
      }),
    );
  raw.uncork();
  return () => received;
}

test("new documents wait for a turn, and a limited number from one address", async () => {
  const sockets = await Promise.all([sendNewDocuments("a", 50), sendNewDocuments("b", 50)]);
  const received = () => sockets.flatMap((receivedBy) => receivedBy());
  await eventually("all are answered", () => received().length === 100);
  expect(received().filter((text) => text.includes(tooManyRequests))).not.toEqual([]);
});

test("all documents of a page with ten new ones are served, for several callers at once", async () => {
  const server = await service.startAnotherServer({});
  onTestFinished(() => server.stop());
  const callers = await Promise.all(
    [1, 2, 3].map(async () => askGraphql(server.url, bearer(await newToken()))),
  );
  const page = Array.from(
    { length: 10 },
    (_, index) => `query Page${index} { user_session(limit: ${index + 1}) { id role user { id phone } } }`,
  );
  const responses = await Promise.all(callers.flatMap((ask) => page.map((query) => ask(query))));
  expect(responses.map(({ message }) => message).filter(Boolean)).toEqual([]);
});
