import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { openRawWebSocket, type RawWebSocket } from "../../testing/graphql/raw_websocket.ts";
import { createBoundedSocketClass, type BoundedSocket } from "./bounded_socket.ts";

const protocol = "graphql-transport-ws";
const unlimited = { perSocket: 1e9, total: 1e9, stallMs: 1e9 };

/** Starts a server with bounded sockets. `open` connects a client that does not read. */
async function startServer(limits: Partial<Parameters<typeof createBoundedSocketClass>[0]>) {
  const options = {
    port: 0,
    host: "127.0.0.1",
    WebSocket: createBoundedSocketClass({ ...unlimited, ...limits }),
  };
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
  const open = async (): Promise<{ client: RawWebSocket; socket: BoundedSocket }> => {
    const client = await openRawWebSocket(url);
    return { client, socket: sockets.at(-1)! };
  };
  return { url, sockets, open };
}
const chunk = "x".repeat(60_000);
/** So many chunks exceed the kernel's buffer of a connection. */
const maxChunks = 1_000;

test.each([
  ["messages", (socket: WebSocket) => socket.send(chunk)],
  ["pings", (socket: WebSocket) => socket.ping("x".repeat(125))],
])("a client that does not read is terminated before %s pile up", async (_, send) => {
  const { open } = await startServer({ perSocket: 100_000 });
  const { socket } = await open();
  // Fill the kernel's buffer.
  for (let count = 0; count < maxChunks && socket.bufferedAmount === 0; count++) socket.send(chunk);
  const closed = once(socket, "close");
  for (let count = 0; count < maxChunks && socket.readyState === WebSocket.OPEN; count++) {
    send(socket);
    expect(socket.bufferedAmount).toBeLessThanOrEqual(200_000);
  }
  await closed;
});

test("a client that pings and does not read is terminated", async () => {
  const { open } = await startServer({ perSocket: 1_000 });
  const { client, socket } = await open();
  while (socket.bufferedAmount === 0) socket.send(chunk);
  const closed = once(socket, "close");
  for (let count = 0; count < 50 && !client.socket.destroyed; count++) await client.send("ping", "x".repeat(100));
  await closed;
});

test("beyond the total limit, a client with buffered bytes is terminated, and one that reads is not", async () => {
  const { open, url, sockets } = await startServer({ total: 100_000 });
  const reader = new WebSocket(url, protocol);
  await once(reader, "open");
  const [readerSocket] = sockets as [BoundedSocket];
  const first = await open();
  while (first.socket.bufferedAmount <= 100_000) first.socket.send(chunk);
  const received = once(reader, "message");
  readerSocket.send("for the reader");
  const [message] = (await received) as [Buffer];
  expect(message.toString()).toBe("for the reader");
  const closed = once(first.socket, "close");
  first.socket.send(chunk);
  await closed;
  // Its buffered bytes no longer count.
  const second = await open();
  while (second.socket.bufferedAmount === 0) second.socket.send(chunk);
  second.socket.send(chunk);
  expect(second.socket.readyState).toBe(WebSocket.OPEN);
  reader.terminate();
});

test("one message may be larger than the limit, and a client that reads it gets the next one", async () => {
  const { url, sockets } = await startServer({ perSocket: 1_000 });
  const reader = new WebSocket(url, protocol);
  await once(reader, "open");
  const [socket] = sockets as [BoundedSocket];
  for (const size of [4_000_000, 10]) {
    const received = once(reader, "message");
    socket.send("x".repeat(size));
    expect(String((await received)[0])).toHaveLength(size);
    await socket.waitForDrain();
  }
  reader.terminate();
});

test("waitForDrain resolves when the client has read everything, and when it is gone", async () => {
  const { open } = await startServer(unlimited);
  const { client, socket } = await open();
  await socket.waitForDrain();
  while (socket.bufferedAmount === 0) socket.send(chunk);
  const drained = socket.waitForDrain();
  expect(await Promise.race([drained, Promise.resolve("waiting")])).toBe("waiting");
  client.socket.resume();
  await drained;
  client.socket.pause();
  while (socket.bufferedAmount === 0) socket.send(chunk);
  const drainedAgain = socket.waitForDrain();
  socket.terminate();
  await drainedAgain;
});

test("send calls back at once, so that its caller keeps nothing in memory for a client that does not read", async () => {
  const { open } = await startServer(unlimited);
  const { socket } = await open();
  while (socket.bufferedAmount === 0) socket.send(chunk);
  const errors: unknown[] = [];
  socket.send("x", (error) => errors.push(error));
  socket.terminate();
  await once(socket, "close");
  expect(errors).toEqual([undefined]);
});

test("a client that takes nothing for too long is terminated at the next ping, and one that reads is not", async () => {
  const { open, url, sockets } = await startServer({ stallMs: 300 });
  const reader = new WebSocket(url, protocol);
  await once(reader, "open");
  const [readerSocket] = sockets as [BoundedSocket];
  const { client, socket } = await open();
  while (socket.bufferedAmount === 0) socket.send(chunk);
  const began = performance.now();
  const closed = once(socket, "close");
  // Pongs that answer nothing, as of a client that wants to look alive, and the pings of graphql-ws.
  const pinging = setInterval(() => {
    void client.send("pong", "");
    if (socket.readyState === WebSocket.OPEN) socket.ping();
    readerSocket.ping();
  }, 20);
  await closed;
  clearInterval(pinging);
  expect(performance.now() - began).toBeGreaterThan(300);
  expect(readerSocket.readyState).toBe(WebSocket.OPEN);
  reader.terminate();
});
