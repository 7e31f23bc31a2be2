import { once } from "node:events";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { test } from "../../../testing/graphql_fixtures.ts";
import { WebSocket } from "ws";
import { bearer, type Tokens } from "../../../testing/rest_client.ts";
import { eventually } from "../../../testing/eventually.ts";
import { askGraphql } from "../../../testing/graphql_client.ts";
import { userCostlyQueue } from "../../../graphql/request_limits.ts";

const tooManyRequests = "Too many requests of this user, or of guests at this address";

test("one costly request of a payer runs at a time, and a limited number waits", async ({
  database,
  askAs,
  newGuest,
}) => {
  const guest = askAs(await newGuest());
  const costly = "{ platform_otp_transaction(limit: 1000) { id identifier purpose } }";
  expect((await guest(costly)).code).toBeUndefined();
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("begin; lock table platform.otp_transaction");
  const waiting = async () => {
    const rows = await database.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'latchkey graphql'
       and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  let maxWaiting = 0;
  let timeouts = 0;
  const refused = new Set<number>();
  const send = async () => {
    const { code, message, status } = await guest(costly);
    if (code === "timeout") timeouts++;
    if (message?.includes(tooManyRequests)) refused.add(status);
  };
  const responses = Promise.all(Array.from({ length: 2 * userCostlyQueue.perPayer }, send));
  await eventually("two have timed out, and the queue was full", async () => {
    maxWaiting = Math.max(maxWaiting, await waiting());
    return timeouts >= 2 && refused.size > 0;
  });
  await holder.end();
  expect(maxWaiting).toBe(1);
  await responses;
  expect(refused).toEqual(new Set([429]));
});

/**
 * Sends so many new documents in one packet, on a guest's socket from 192.0.2.1.
 * @returns a function that returns the messages received so far
 */
async function sendNewDocuments(
  url: string,
  { access_token }: Tokens,
  name: string,
  count: number,
): Promise<() => string[]> {
  const headers = { "x-forwarded-for": "192.0.2.1" };
  const socket = new WebSocket(url, "graphql-transport-ws", { headers });
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  socket.send(
    JSON.stringify({ type: "connection_init", payload: { Authorization: `Bearer ${access_token}` } }),
  );
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

test("new documents wait for a turn, and a limited number from one address", async ({
  newGuest,
  socketUrl,
}) => {
  const sockets = await Promise.all(
    ["a", "b"].map(async (name) => sendNewDocuments(socketUrl, await newGuest(), name, 50)),
  );
  const received = () => sockets.flatMap((receivedBy) => receivedBy());
  await eventually("all are answered", () => received().length === 100);
  expect(received().filter((text) => text.includes(tooManyRequests))).not.toEqual([]);
});

test("all documents of a page with ten new ones are served, for several callers at once", async ({
  service,
  newGuest,
}) => {
  const server = await service.startAnotherServer({});
  onTestFinished(() => server.stop());
  const callers = await Promise.all(
    [1, 2].map(async () => askGraphql(server.url, bearer((await newGuest()).access_token))),
  );
  const page = Array.from(
    { length: 10 },
    (_, index) => `query Page${index} { user_session(limit: ${index + 1}) { id role user { id phone } } }`,
  );
  /** Asks again as a client does: on a busy machine a document may wait for its turn longer than the queue allows. */
  const refusalOf = async (ask: (typeof callers)[number], query: string): Promise<string | undefined> => {
    const { message } = await ask(query);
    return message?.includes("waited too long in the queue for planning") ? refusalOf(ask, query) : message;
  };
  const refusals = await Promise.all(callers.flatMap((ask) => page.map((query) => refusalOf(ask, query))));
  expect(refusals.filter(Boolean)).toEqual([]);
});
