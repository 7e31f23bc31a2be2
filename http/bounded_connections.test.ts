import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { boundConnections } from "./bounded_connections.ts";
import { sendBytes } from "./send_json.ts";

const stallMs = 30_000;
/** More than the kernel takes for a client that does not read. */
const long = Buffer.alloc(30_000_000, "x");

/** The requests that the listener got; the test answers those to /held. */
let seen: string[];
let held: ServerResponse[];
const stops: (() => void)[] = [];
let port: number;
let http: Server;

function answer(request: IncomingMessage, response: ServerResponse): void {
  seen.push(request.url ?? "");
  if (request.url === "/held") held.push(response);
  else if (request.url === "/long") sendBytes(response, long);
  else request.resume().on("end", () => response.end(`answer ${request.url}\n`));
}

beforeEach(async () => {
  [seen, held] = [[], []];
  const { bound, stop } = boundConnections(stallMs);
  http = createServer(bound(answer)).listen(0, "127.0.0.1");
  await once(http, "listening");
  ({ port } = http.address() as AddressInfo);
  stops.push(
    stop,
    () => http.closeAllConnections(),
    () => http.close(),
  );
});
afterEach(() => stops.splice(0).forEach((stop) => stop()));

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Sends text over a new connection, and reads what comes if `reads` is true. */
async function send(text: string, { reads = true } = {}) {
  const socket: Socket = connect(port, "127.0.0.1");
  const state = { socket, received: "", isClosed: false };
  if (reads) socket.on("data", (chunk: Buffer) => (state.received += chunk.toString()));
  else socket.pause();
  socket.on("error", () => undefined);
  socket.on("close", () => (state.isClosed = true));
  stops.push(() => socket.destroy());
  await once(socket, "connect");
  await new Promise((sent) => socket.write(text, sent));
  return state;
}

test("requests of one connection are answered one at a time, in their order, their bodies included", async () => {
  const post = "POST /3 HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n";
  const { socket } = await send(get("/held") + get("/2") + post);
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
  await eventually("the first request", () => held.length === 1);
  socket.write("body" + get("/4"));
  expect(seen).toEqual(["/held"]);
  held[0]?.end("answer /held\n");
  await eventually("the last answer", () => received.includes("answer /4\n"));
  expect(received.match(/answer .*/g)).toEqual(["answer /held", "answer /2", "answer /3", "answer /4"]);
  // Reading went on after the pause.
  socket.write(get("/5"));
  await eventually("a later answer", () => received.includes("answer /5\n"));
});

test("a connection whose waiting requests have more than 512 header lines is ended", async () => {
  const large = get("/2").replace("\r\n\r\n", `\r\n${"a: b\r\n".repeat(250)}\r\n`);
  const [few, many] = [await send(get("/held") + large.repeat(2)), await send(get("/held") + large.repeat(3))];
  await eventually("the end of the connection", () => many.isClosed);
  expect(few.isClosed).toBe(false);
});

test("a connection on which more than sixteen requests wait is ended", async () => {
  let parsed = 0;
  http.on("request", () => parsed++);
  const [few, many] = [await send(get("/held").repeat(17)), await send(get("/held").repeat(400))];
  await eventually("the end of the connection", () => many.isClosed);
  expect(few.isClosed).toBe(false);
  expect(seen).toEqual(["/held", "/held"]);
  expect(parsed, "requests that node:http parsed").toBe(17 + 18);
});

test("while requests wait, the connection is not read", async () => {
  const { socket } = await send(get("/held") + get("/2"));
  await eventually("the first request", () => held.length === 1);
  // More than the kernel takes for a server that does not read.
  for (let sent = 0; sent < 500 && socket.writableLength < 1_000_000; sent++) {
    socket.write(`GET /3 HTTP/1.1\r\nX: ${"x".repeat(100_000)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(socket.writableLength).toBeGreaterThan(0);
});

describe("with the time of the test", () => {
  // Of boundConnections alone: node:http has timers of its own.
  beforeAll(() => void vi.useFakeTimers({ toFake: ["setInterval", "performance"] }));
  afterAll(() => void vi.useRealTimers());

  /** Polls without a deadline, which would need the time. */
  async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await condition())) await delay(1);
  }
  /** A client that does not read does not see the end: ask the server. */
  const connections = () => promisify(http.getConnections.bind(http))();

  test("an answer that is not read ends its connection, also if the client goes on sending", async () => {
    const [silent, busy] = [await send(get("/long"), { reads: false }), await send(get("/long"), { reads: false })];
    await until(() => seen.length === 2);
    await until(async () => {
      busy.socket.write("\r\n");
      vi.advanceTimersByTime(stallMs / 10);
      return (await connections()) === 0;
    });
    expect(silent.socket.bytesRead).toBeLessThan(long.length);
  });

  test("a slow reader and a slow listener keep their connections", async () => {
    const working = await send(get("/held"));
    await until(() => held.length === 1);
    const accepted = once(http, "connection") as Promise<[Socket]>;
    const { socket } = await send(get("/long"), { reads: false });
    const [sending] = await accepted;
    let time = 0;
    while (sending.bytesWritten < long.length) {
      const before = sending.bytesWritten;
      await until(() => {
        socket.read();
        return sending.bytesWritten > before;
      });
      vi.advanceTimersByTime(stallMs * 0.8);
      time += stallMs * 0.8;
    }
    expect(time).toBeGreaterThan(10 * stallMs);
    held[0]?.end("answer /held\n");
    await until(() => working.received.includes("answer /held"));
  });
});
