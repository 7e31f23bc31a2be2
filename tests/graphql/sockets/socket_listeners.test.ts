import type { IncomingMessage } from "node:http";
import type { EventEmitter } from "node:events";
import { expect, onTestFinished, vi } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { eventually } from "../../../testing/eventually.ts";
import { test } from "../fixtures/socket_fixtures.ts";

const listenersOf = (emitter: EventEmitter) =>
  Object.fromEntries(emitter.eventNames().map((name) => [String(name), emitter.listenerCount(name)]));

test("a hundred subscriptions that come and go leave no listener on the socket or its request", async ({
  open,
  guestTokens,
}) => {
  const emit = vi.spyOn(WebSocketServer.prototype, "emit");
  onTestFinished(() => emit.mockRestore());
  const { subscribe, complete, messagesOf } = await open(guestTokens);
  const [, socket, request] = emit.mock.calls.find(([event]) => event === "connection") as unknown as [
    string,
    WebSocket,
    IncomingMessage,
  ];
  const listeners = () => [socket, request, request.socket].map(listenersOf);
  const cycle = async (id: string) => {
    subscribe(id);
    await eventually("it has its first result", () => messagesOf(id).length > 0);
    expect(messagesOf(id)).toMatchObject([{ type: "next" }]);
    complete(id);
  };
  await cycle("first");
  const before = listeners();
  for (let id = 0; id < 100; id++) await cycle(String(id));
  expect(listeners()).toEqual(before);
});
