import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { paceReading } from "./pace_reading.ts";

function setUp() {
  const clock = { now: 0, timers: [] as { ms: number; callback: () => void }[] };
  const runTimer = () => {
    const timer = clock.timers.shift();
    clock.now += timer?.ms ?? 0;
    timer?.callback();
  };
  const state = { isPaused: false };
  const socket = Object.assign(new EventEmitter(), {
    pause: () => (state.isPaused = true),
    resume: () => (state.isPaused = false),
  });
  paceReading(socket as unknown as WebSocket, {
    bytesPerSecond: 1_000,
    burstBytes: 10_000,
    now: () => clock.now,
    after: (ms, callback) => {
      const timer = { ms, callback };
      clock.timers.push(timer);
      return () => void clock.timers.splice(clock.timers.indexOf(timer), 1);
    },
  });
  const send = (bytes: number, event = "message") => socket.emit(event, Buffer.alloc(bytes));
  return { clock, state, send, runTimer, close: () => socket.emit("close") };
}

test("a burst is read at once, and bytes beyond it pause the socket until the bucket is refilled", () => {
  const { clock, state, send, runTimer } = setUp();
  send(4_000);
  send(6_000);
  expect(state.isPaused).toBe(false);
  send(500);
  expect(state.isPaused).toBe(true);
  expect(clock.timers).toMatchObject([{ ms: 500 }]);
  runTimer();
  expect(state.isPaused).toBe(false);
});

test("frames that a paused socket still emits are charged, and wait for the same timer", () => {
  const { clock, state, send, runTimer } = setUp();
  send(10_500);
  for (let frame = 0; frame < 1_000; frame++) send(1);
  expect(clock.timers).toMatchObject([{ ms: 500 }]);
  runTimer();
  expect(state.isPaused).toBe(true);
  expect(clock.timers).toMatchObject([{ ms: 256_000 }]);
  runTimer();
  expect([state.isPaused, clock.timers.length]).toEqual([false, 0]);
});

test("a closed socket has no timer", () => {
  const { clock, send, close } = setUp();
  send(20_000);
  close();
  expect(clock.timers).toEqual([]);
});

test("the bucket is refilled at its rate, and never above a burst", () => {
  const { clock, state, send } = setUp();
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

test.each(["message", "ping", "pong"])("an empty %s is charged too", (event) => {
  const { state, send } = setUp();
  for (let sent = 0; sent < 39; sent++) send(0, event);
  expect(state.isPaused).toBe(false);
  send(0, event);
  expect(state.isPaused).toBe(true);
});
