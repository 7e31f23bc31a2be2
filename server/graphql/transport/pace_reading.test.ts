import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { paceReading } from "./pace_reading.ts";

function startPaced() {
  const clock = { now: 0, waits: [] as { work: () => void; ms: number }[] };
  const passWait = () => {
    const wait = clock.waits.shift();
    clock.now += wait?.ms ?? 0;
    wait?.work();
  };
  const state = { isPaused: false };
  const socket = Object.assign(new EventEmitter(), {
    pause: () => (state.isPaused = true),
    resume: () => (state.isPaused = false),
  });
  paceReading(socket as unknown as WebSocket, {
    ...{ bytesPerSecond: 1_000, burst: 10_000 },
    now: () => clock.now,
    later: (work, ms) => {
      const wait = { work, ms };
      clock.waits.push(wait);
      return () => void clock.waits.splice(clock.waits.indexOf(wait), 1);
    },
  });
  const send = (bytes: number, event = "message") => socket.emit(event, Buffer.alloc(bytes));
  return { clock, state, send, passWait, close: () => socket.emit("close") };
}

test("a burst is read at once, and what exceeds it ends the reading until it is paid", () => {
  const { clock, state, send, passWait } = startPaced();
  send(4_000);
  send(6_000);
  expect(state.isPaused).toBe(false);
  send(500);
  expect(state.isPaused).toBe(true);
  expect(clock.waits).toMatchObject([{ ms: 500 }]);
  passWait();
  expect(state.isPaused).toBe(false);
});

test("what still arrives of what had been read adds to the one wait", () => {
  const { clock, state, send, passWait } = startPaced();
  send(10_500);
  for (let frame = 0; frame < 1_000; frame++) send(1);
  expect(clock.waits).toMatchObject([{ ms: 500 }]);
  passWait();
  expect(state.isPaused).toBe(true);
  expect(clock.waits).toMatchObject([{ ms: 256_000 }]);
  passWait();
  expect([state.isPaused, clock.waits.length]).toEqual([false, 0]);
});

test("a closed socket waits for nothing", () => {
  const { clock, send, close } = startPaced();
  send(20_000);
  close();
  expect(clock.waits).toEqual([]);
});

test("time gives back as much as the share allows, and never more than a burst", () => {
  const { clock, state, send } = startPaced();
  send(10_000);
  clock.now = 3_000;
  send(3_000);
  expect(state.isPaused).toBe(false);
  clock.now = 1_000_000;
  send(10_000);
  expect(state.isPaused).toBe(false);
  send(1_000);
  expect(state.isPaused).toBe(true);
});

test.each(["message", "ping", "pong"])("an empty %s counts too", (event) => {
  const { state, send } = startPaced();
  for (let sent = 0; sent < 39; sent++) send(0, event);
  expect(state.isPaused).toBe(false);
  send(0, event);
  expect(state.isPaused).toBe(true);
});
