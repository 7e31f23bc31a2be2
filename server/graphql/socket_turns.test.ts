import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { makeLog } from "../../common/log.ts";
import { eventually } from "../../testing/eventually.ts";
import type { Caller } from "./authorise.ts";
import { Refusal } from "./errors.ts";
import type { Engine } from "./execute.ts";
import { attachSockets } from "./sockets.ts";

const guest: Caller = {
  audience: "user",
  settings: { role: "latchkey_guest", "latchkey.session_id": "a session" },
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

test("of frames that arrive together each is worked on in a turn of the event loop of its own", async () => {
  const turn = countTurns();
  const turns: number[] = [];
  const engine = {
    documents: { isKnown: () => true },
    budget: {
      takesTurns: () => false,
      open: () => {
        turns.push(turn());
        throw new Refusal("limit-exceeded", "not now");
      },
    },
  } as unknown as Engine;
  const http = createServer();
  const sockets = attachSockets(http, {
    authoriser: { authorise: () => Promise.resolve(guest), stop: () => Promise.resolve() },
    engine: () => engine,
    listener: {
      on: () => () => undefined,
      onReconnect: () => undefined,
      isConnected: () => true,
      stop: () => Promise.resolve(),
    },
    addressOf: () => "192.0.2.1",
    log: makeLog("test", "silent"),
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

  // In one packet.
  const raw = (socket as unknown as { _socket: { cork: () => void; uncork: () => void } })._socket;
  raw.cork();
  for (let id = 0; id < 20; id++)
    socket.send(JSON.stringify({ id: String(id), type: "subscribe", payload: { query: "{ a }" } }));
  raw.uncork();
  await eventually("all are worked on", () => turns.length === 20);
  expect(new Set(turns).size).toBe(20);
});
