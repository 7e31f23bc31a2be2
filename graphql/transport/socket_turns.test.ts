import { notificationDigest } from "../../runtime/database/notifications.ts";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buildSchema, parse } from "postgraphile/graphql";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { createLog } from "../../runtime/log.ts";
import { eventually } from "../../testing/eventually.ts";
import type { Caller } from "../authorization/caller.ts";
import { Refusal } from "../refusal.ts";
import type { Engine } from "../engine/engine.ts";
import { createSockets } from "./sockets.ts";

const user: Caller = {
  audience: "user",
  settings: { role: "latchkey_user", "latchkey.session_id": "a session", "latchkey.user_id": "a user" },
  expires: undefined,
};

/** Counts ticks of the event loop. */
function countTicks(): () => number {
  let tick = 0;
  let next = setImmediate(function count() {
    tick++;
    next = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(next));
  return () => tick;
}

/** Starts a server that authorizes each socket as the user, and connects a socket. */
async function connect(engine: object) {
  const callbacks: ((payload: never) => void)[] = [];
  const http = createServer();
  const connected = once(http, "connection") as Promise<[Socket]>;
  const sockets = createSockets({
    authorizer: { authorize: () => Promise.resolve(user), stop: () => Promise.resolve() },
    engineOf: () => engine as Engine,
    listener: {
      on: (_channel, callback) => {
        callbacks.push(callback);
        return () => undefined;
      },
      onReconnect: () => undefined,
      isConnected: () => true,
      stop: () => Promise.resolve(),
    },
    addressOf: () => "192.0.2.1",
    log: createLog("test", "silent"),
  });
  http.on("upgrade", sockets.upgrade);
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/graphql`, "graphql-transport-ws");
  onTestFinished(async () => {
    socket.terminate();
    await sockets.stop();
    http.close();
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init" }));
  await once(socket, "message");
  const [connection] = await connected;
  return {
    socket,
    isClosed: () => connection.destroyed,
    /** Calls the callbacks of the listener. */
    notify: (payload: string) => callbacks.forEach((callback) => callback(payload as never)),
    /** Sends so many operations in one packet. */
    subscribe: (count: number, query: string) => {
      const raw = (socket as unknown as { _socket: { cork: () => void; uncork: () => void } })._socket;
      raw.cork();
      for (let id = 0; id < count; id++)
        socket.send(JSON.stringify({ id: String(id), type: "subscribe", payload: { query } }));
      raw.uncork();
    },
  };
}

test("frames that arrive together are processed in one tick of the event loop each", async () => {
  const currentTick = countTicks();
  const ticks: number[] = [];
  const { subscribe } = await connect({
    documents: { isCached: () => true },
    budget: {
      admit: () => {
        ticks.push(currentTick());
        throw new Refusal("limit-exceeded", "refused");
      },
    },
  });
  subscribe(20, "{ a }");
  await eventually("all are processed", () => ticks.length === 20);
  expect(new Set(ticks).size).toBe(20);
});

test("after a change, at most four live queries are read at once", async () => {
  let hangs = false;
  let started = 0;
  const { socket, subscribe, notify } = await connect({
    audience: { schema: buildSchema("type Query { a: Int } type Subscription { a: Int }"), liveTypes: new Map() },
    documents: { isCached: () => true, markPlanned: () => undefined },
    databaseOf: () => ({}),
    timeouts: {},
    budget: {
      admit: () => {
        let isPrepared = false;
        return {
          chargeDatabase: () => undefined,
          run() {
            if (isPrepared) {
              started++;
              return new Promise(() => undefined);
            }
            isPrepared = true;
            // Reading a subscription is refused, which answers it.
            const document = parse(hangs ? "{ a }" : "subscription { a }");
            return { document, operation: document.definitions[0], toExecutionArgs: () => ({}) };
          },
        };
      },
    },
  });
  let messages = 0;
  socket.on("message", () => messages++);
  subscribe(20, "subscription { a }");
  await eventually("all are answered", () => messages === 20);
  // From now on, no read ends.
  hangs = true;
  notify(notificationDigest("a user"));
  await eventually("some are read", () => started > 0);
  for (let tick = 0; tick < 10; tick++) await new Promise((resolve) => setImmediate(resolve));
  expect(started).toBe(4);
});

test("a client that does not read is terminated when more than a megabyte is buffered", async () => {
  let responses = 0;
  const { socket, subscribe, isClosed } = await connect({
    documents: { isCached: () => true },
    budget: {
      admit: () => {
        responses++;
        throw new Refusal("limit-exceeded", "x".repeat(1_000_000));
      },
    },
  });
  socket.pause();
  // More than the kernel's buffer of a connection.
  subscribe(30, "{ a }");
  await eventually("all operations are processed, or the socket is closed", () => responses === 30 || isClosed());
  for (let tick = 0; tick < 10; tick++) await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed()).toBe(true);
});
