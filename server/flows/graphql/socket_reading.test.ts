import { expect, onTestFinished } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { openRawWebSocket } from "../../../testing/raw_websocket.ts";
import { test } from "./fixtures/socket_fixtures.ts";

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
