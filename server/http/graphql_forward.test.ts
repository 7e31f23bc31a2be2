import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { openRawWebSocket } from "../../testing/graphql/raw_websocket.ts";
import { forwardGraphql } from "./graphql_forward.ts";

async function listen(http: Server): Promise<string> {
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

/** A program that opens every socket, behind a server that forwards to it. */
async function startForward(maxSockets?: number) {
  const opened: Socket[] = [];
  const program = createServer();
  program.on("upgrade", (_request, socket: Socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.resume();
    opened.push(socket);
  });
  const programUrl = await listen(program);
  const forward = forwardGraphql({ url: () => programUrl }, ["loopback"], maxSockets);
  onTestFinished(() => forward.stop());
  const http = createServer();
  http.on("upgrade", forward.upgrade);
  const url = `${await listen(http)}/v1/graphql`;
  return { url, opened, open: (client: string) => openRawWebSocket(url, { "x-forwarded-for": client }) };
}

test("sockets beyond half of the open files are refused, until another is closed", async () => {
  const { open } = await startForward(2);
  const answerTo = async () => (await open("203.0.113.1")).answer.slice(0, 12);
  const first = await open("203.0.113.1");
  expect(await answerTo()).toBe("HTTP/1.1 101");
  expect(await answerTo()).toBe("HTTP/1.1 503");
  first.socket.destroy();
  await eventually("there is a place again", async () => (await answerTo()) === "HTTP/1.1 101");
});

test("a client that takes every place loses its newest to a client that has fewer", async () => {
  const { open } = await startForward(3);
  const many = [await open("203.0.113.1"), await open("203.0.113.1"), await open("203.0.113.1")];
  expect((await open("203.0.113.2")).answer).toMatch(/^HTTP\/1\.1 101 /);
  many.at(-1)!.socket.resume();
  await many.at(-1)!.closed;
  expect(many.map(({ socket }) => socket.destroyed)).toEqual([false, false, true]);
});

test.for([
  ["ends", (socket: Socket) => socket.end()],
  ["is destroyed", (socket: Socket) => socket.destroy()],
  ["is reset", (socket: Socket) => socket.resetAndDestroy()],
] as const)(
  "when GraphQL's side of a socket %s, the client's connection is closed, and nothing is written into it",
  async ([, close]) => {
    const { url, opened } = await startForward();
    const { port } = new URL(url);
    // A client that keeps its half open would keep a place.
    const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    let received = "";
    socket.on("data", (data: Buffer) => (received += data.toString()));
    socket.write("GET /v1/graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    await eventually("the socket is open", () => opened.length === 1 && received.includes("\r\n\r\n"));
    close(opened[0]!);
    // Only a write tells a half-open client that the other side is gone.
    const writing = setInterval(() => socket.write("x"), 10);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(writing);
    expect(received).toMatch(/^HTTP\/1\.1 101 [^]*?\r\n\r\n$/);
    expect(received.match(/HTTP\/1/g)).toHaveLength(1);
  },
);
