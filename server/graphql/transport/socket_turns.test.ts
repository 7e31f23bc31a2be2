import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { parse } from "postgraphile/graphql";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { createLog } from "../../../runtime/log.ts";
import { eventually } from "../../../testing/eventually.ts";
import type { Caller } from "../../authorization/caller.ts";
import { Refusal } from "../engine/refusal.ts";
import type { Engine } from "../engine/engine.ts";
import { attachSockets } from "./sockets.ts";

const user: Caller = {
  audience: "user",
  settings: { role: "latchkey_user", "latchkey.session_id": "a session", "latchkey.user_id": "a user" },
  expires: undefined,
};

/** Counts turns of the event loop. */
function countTurns(): () => number {
  let turn = 0;
  let next = setImmediate(function count() {
    turn++;
    next = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(next));
  return () => turn;
}

/** A server whose sockets are all the user's, which works with the engine; and a socket of it. */
async function connect(engine: object) {
  const callbacks: ((payload: never) => void)[] = [];
  const http = createServer();
  const connected = once(http, "connection") as Promise<[Socket]>;
  const sockets = attachSockets(http, {
    authorizer: { authorize: () => Promise.resolve(user), stop: () => Promise.resolve() },
    engine: () => engine as Engine,
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
    isEnded: () => connection.destroyed,
    notify: (payload: object) => callbacks.forEach((callback) => callback(payload as never)),
    subscribe: (count: number, query: string) => {
      // In one packet.
      const raw = (socket as unknown as { _socket: { cork: () => void; uncork: () => void } })._socket;
      raw.cork();
      for (let id = 0; id < count; id++)
        socket.send(JSON.stringify({ id: String(id), type: "subscribe", payload: { query } }));
      raw.uncork();
    },
  };
}

test("of frames that arrive together each is worked on in a turn of the event loop of its own", async () => {
  const turn = countTurns();
  const turns: number[] = [];
  const { subscribe } = await connect({
    documents: { isKnown: () => true },
    budget: {
      takesTurns: () => false,
      open: () => {
        turns.push(turn());
        throw new Refusal("limit-exceeded", "not now");
      },
    },
  });
  subscribe(20, "{ a }");
  await eventually("all are worked on", () => turns.length === 20);
  expect(new Set(turns).size).toBe(20);
});

test("a change has four subscriptions of a user read again at once, however many there are", async () => {
  const query = "subscription { a }";
  const document = parse(query);
  let isHeld = false;
  let begun = 0;
  const { socket, subscribe, notify } = await connect({
    audience: {},
    documents: { isKnown: () => true },
    // Prepared already.
    budget: {
      takesTurns: () => isHeld,
      open: () => ({ spend: () => ({ document, operation: document.definitions[0] }) }),
    },
    turn: () => {
      begun++;
      return new Promise(() => undefined);
    },
  });
  let heard = 0;
  socket.on("message", () => heard++);
  subscribe(20, query);
  await eventually("all are answered", () => heard === 20);
  isHeld = true;
  notify({ session_id: "another session", user_id: "a user" });
  await eventually("some are read", () => begun > 0);
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toBe(4);
});

test("a peer that does not read is ended when more than a megabyte lies unsent", async () => {
  let answers = 0;
  const { socket, subscribe, isEnded } = await connect({
    documents: { isKnown: () => true },
    budget: {
      takesTurns: () => false,
      open: () => {
        answers++;
        throw new Refusal("limit-exceeded", "x".repeat(1_000_000));
      },
    },
  });
  socket.pause();
  // More than the kernel keeps for a connection.
  subscribe(30, "{ a }");
  await eventually("all are answered, or none any more", () => answers === 30 || isEnded());
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(isEnded()).toBe(true);
});
