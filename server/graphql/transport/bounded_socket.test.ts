import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { openRawWebSocket, type RawWebSocket } from "../../../testing/raw_websocket.ts";
import { createBoundedSocketClass, type BoundedSocket } from "./bounded_socket.ts";

const protocol = "graphql-transport-ws";

/** A server of such sockets, which counts what it is sent. */
async function startServer(bounds: Parameters<typeof createBoundedSocketClass>[0]) {
  const options = { port: 0, host: "127.0.0.1", WebSocket: createBoundedSocketClass(bounds) };
  const server = new WebSocketServer(options);
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, "listening");
  const sockets: BoundedSocket[] = [];
  server.on("connection", (socket) => {
    socket.on("error", () => undefined);
    sockets.push(socket as unknown as BoundedSocket);
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const open = async (): Promise<{ peer: RawWebSocket; socket: BoundedSocket }> => {
    const peer = await openRawWebSocket(url);
    return { peer, socket: sockets.at(-1)! };
  };
  return { url, sockets, open };
}
const wide = { perSocket: 1e9, inAll: 1e9 };
const chunk = "x".repeat(60_000);
/** More than the kernel keeps for a connection. */
const tooMuch = 1_000;

test.each([
  ["messages", (socket: WebSocket) => socket.send(chunk)],
  ["pings", (socket: WebSocket) => socket.ping("x".repeat(125))],
])("a peer that does not read is terminated before %s pile up", async (_, send) => {
  const { open } = await startServer({ perSocket: 100_000, inAll: 1e9 });
  const { socket } = await open();
  // Until the kernel takes no more of it.
  for (let count = 0; count < tooMuch && socket.bufferedAmount === 0; count++) socket.send(chunk);
  const closed = once(socket, "close");
  for (let count = 0; count < tooMuch && socket.readyState === WebSocket.OPEN; count++) {
    send(socket);
    expect(socket.bufferedAmount).toBeLessThanOrEqual(200_000);
  }
  await closed;
});

test("a peer that pings and does not read is terminated", async () => {
  const { open } = await startServer({ perSocket: 1_000, inAll: 1e9 });
  const { peer, socket } = await open();
  while (socket.bufferedAmount === 0) socket.send(chunk);
  const closed = once(socket, "close");
  for (let count = 0; count < 50 && !peer.socket.destroyed; count++) await peer.send("ping", "x".repeat(100));
  await closed;
});

test("beyond the bound for all, whoever has something unsent is terminated, and no peer that reads", async () => {
  const { open, url, sockets } = await startServer({ perSocket: 1e9, inAll: 100_000 });
  const reader = new WebSocket(url, protocol);
  await once(reader, "open");
  const [reading] = sockets as [BoundedSocket];
  const first = await open();
  while (first.socket.bufferedAmount <= 100_000) first.socket.send(chunk);
  const received = once(reader, "message");
  reading.send("for the reader");
  const [message] = (await received) as [Buffer];
  expect(message.toString()).toBe("for the reader");
  const closed = once(first.socket, "close");
  first.socket.send(chunk);
  await closed;
  // What it held is free again.
  const second = await open();
  while (second.socket.bufferedAmount === 0) second.socket.send(chunk);
  second.socket.send(chunk);
  expect(second.socket.readyState).toBe(WebSocket.OPEN);
  reader.terminate();
});

test("one answer may be larger than the bound, and a peer that reads it gets the next one", async () => {
  const { url, sockets } = await startServer({ perSocket: 1_000, inAll: 1e9 });
  const reader = new WebSocket(url, protocol);
  await once(reader, "open");
  const [socket] = sockets as [BoundedSocket];
  for (const size of [4_000_000, 10]) {
    const received = once(reader, "message");
    socket.send("x".repeat(size));
    expect(String((await received)[0])).toHaveLength(size);
    await socket.flushed();
  }
  reader.terminate();
});

test("what waits for a peer to read goes on when it has read, and when it is gone", async () => {
  const { open } = await startServer(wide);
  const { peer, socket } = await open();
  await socket.flushed();
  while (socket.bufferedAmount === 0) socket.send(chunk);
  const flushed = socket.flushed();
  expect(await Promise.race([flushed, Promise.resolve("waiting")])).toBe("waiting");
  peer.socket.resume();
  await flushed;
  peer.socket.pause();
  while (socket.bufferedAmount === 0) socket.send(chunk);
  const again = socket.flushed();
  socket.terminate();
  await again;
});

test("a send calls back at once, so that its sender keeps nothing for a peer that does not read", async () => {
  const { open } = await startServer(wide);
  const { socket } = await open();
  while (socket.bufferedAmount === 0) socket.send(chunk);
  const outcomes: unknown[] = [];
  socket.send("x", (error) => outcomes.push(error));
  socket.terminate();
  await once(socket, "close");
  expect(outcomes).toEqual([undefined]);
});
