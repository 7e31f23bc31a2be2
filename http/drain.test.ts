import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { createDrain, type Drain } from "./drain.ts";

let drain: Drain;
let http: Server;
let port: number;
/** Requests to /held, which the test answers. */
let held: ServerResponse[];
const sockets: Socket[] = [];

beforeEach(async () => {
  held = [];
  drain = createDrain();
  const listener = drain.track((request, response) => {
    if (request.url === "/held") held.push(response);
    else response.end("answer");
  });
  http = createServer({ keepAliveTimeout: 60_000 }, listener).listen(0, "127.0.0.1");
  await once(http, "listening");
  port = (http.address() as AddressInfo).port;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  http.closeAllConnections();
  http.close();
});

interface Connection {
  ask: (path: string) => void;
  received: () => string;
  closed: Promise<unknown>;
}

/** A connection that a proxy would keep for more requests. */
async function open(): Promise<Connection> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  // A refused connection closes too. It is an error only for a caller that waits until it is open.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  return {
    ask: (path) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
    received: () => text,
    closed,
  };
}

test("until it stops, connections are kept", async () => {
  const connection = await open();
  connection.ask("/");
  await eventually("an answer", () => connection.received().includes("answer"));
  expect(connection.received()).toContain("Connection: keep-alive");
});

test("a server that stops still answers on kept and new connections, and closes each of them", async () => {
  const kept = await open();
  kept.ask("/");
  await eventually("an answer", () => kept.received().includes("answer"));

  drain.begin();
  for (const connection of [kept, await open()]) {
    connection.ask("/");
    await connection.closed;
    expect(connection.received()).toMatch(/Connection: close(.|\r\n)*answer$/);
  }
});

test("a request in flight when the server begins to stop is answered, and its connection is closed", async () => {
  const connection = await open();
  connection.ask("/held");
  await eventually("the request is in flight", () => held.length === 1);
  drain.begin();
  const finished = drain.finish(http, () => expect.unreachable("nothing is overdue"));
  held[0]?.end("answer");
  await connection.closed;
  expect(connection.received()).toMatch(/Connection: close(.|\r\n)*answer$/);
  await finished;
});

test("a stopped server closes idle connections and takes no new ones", async () => {
  const idle = await open();
  idle.ask("/");
  await eventually("an answer", () => idle.received().includes("answer"));
  drain.begin();
  await drain.finish(http, () => expect.unreachable("nothing is overdue"));
  await idle.closed;
  await expect(open()).rejects.toThrow("ECONNREFUSED");
});

test("a connection that waits to be accepted when the server closes is answered", async () => {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const client = new Worker(
    `const { workerData: { port, shared } } = require("node:worker_threads");
     const socket = require("node:net").connect(port, "127.0.0.1", () => {
       socket.write("GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n");
       Atomics.store(shared, 0, 1);
       Atomics.notify(shared, 0);
     });
     let text = "";
     const tell = () => require("node:worker_threads").parentPort.postMessage(text);
     socket.on("data", (chunk) => (text += chunk)).on("error", (error) => (text += error.code)).on("close", tell);`,
    { eval: true, workerData: { port, shared } },
  );
  const answered = once(client, "message");
  await once(client, "online");
  // This thread accepts nothing before the client is connected.
  Atomics.wait(shared, 0, 0, 30_000);
  drain.begin();
  await drain.finish(http, () => undefined);
  expect((await answered)[0]).toContain("answer");
});
