import { expect, onTestFinished } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { openRawWebSocket } from "../../../testing/graphql/raw_websocket.ts";
import { test } from "../fixtures/socket_fixtures.ts";

test.for(["before it is authorized", "authorized"])(
  "a client that pings and never reads is terminated: %s",
  async (when, { newGuest, socketUrl }) => {
    const { access_token } = await newGuest();
    const raw = await openRawWebSocket(socketUrl, { "x-forwarded-for": "192.0.2.3" });
    onTestFinished(() => void raw.socket.destroy());
    if (when === "authorized")
      await raw.send(
        "text",
        JSON.stringify({ type: "connection_init", payload: { Authorization: `Bearer ${access_token}` } }),
      );
    const ping = JSON.stringify({ type: "ping", payload: { x: "x".repeat(60_000) } });
    // More than the kernel's buffer and the limit of one socket, and less than the limit of all sockets.
    let sent = 0;
    while (sent < 700 && !raw.socket.destroyed) {
      await raw.send("text", ping);
      sent++;
    }
    expect(sent).toBeLessThan(700);
  },
);

test.for(["frames of a message", "segments of a frame"])(
  "a client that sends its message in thousands of %s, and never ends it, is closed",
  async (what, { socketUrl }) => {
    const { socket } = await openRawWebSocket(socketUrl, { "x-forwarded-for": "192.0.2.4" });
    onTestFinished(() => void socket.destroy());
    socket.resume();
    socket.setNoDelay();
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
    const mask = [0, 0, 0, 0];
    const isClosed = () => received.includes(Buffer.from([0x03, 0xf0]));
    const write = (bytes: number[]) =>
      new Promise((written) => socket.write(Buffer.from(bytes), () => setImmediate(written)));
    // The beginning of a text of several frames, or of one frame of 60,000 bytes.
    await write(what === "frames of a message" ? [0x01, 0x81, ...mask, 0x20] : [0x81, 0xfe, 0xea, 0x60, ...mask]);
    const next = what === "frames of a message" ? [0x00, 0x81, ...mask, 0x20] : [0x20];
    let sent = 0;
    while (sent++ < 15_000 && !isClosed() && !socket.destroyed) await write(next);
    await eventually("the close frame with 1008", isClosed);
  },
);

test("after 128 KiB at once, the server reads a socket at 32 KiB per second", async ({ newGuest, open }) => {
  const startedAt = performance.now();
  const { send, received } = await open(await newGuest());
  const ping = { type: "ping", payload: { x: "x".repeat(60_000) } };
  const pongs = () => received.filter(({ type }) => type === "pong").length;
  for (let sent = 0; sent < 3; sent++) send(ping);
  await eventually("three are answered", () => pongs() === 3);
  send(ping);
  await eventually("the fourth is answered", () => pongs() === 4);
  // The minimum on any machine: (3 × 60,000 - 131,072) bytes at 32,768 bytes per second.
  expect(performance.now() - startedAt).toBeGreaterThan(1_490);
});
