import { setImmediate as settle } from "node:timers/promises";
import { expect, test } from "vitest";
import { createManualClock, createQueueHarness } from "../../testing/service/password_queue_harness.ts";
import { createPasswordQueue } from "./password_queue.ts";

test("a client has a limited number of calls in the queue, and other clients are accepted", async () => {
  const harness = createQueueHarness({ callsPerClient: 3 });
  const calls = Array.from({ length: 3 }, () => harness.call("a"));
  const excess = harness.call("a");
  harness.call("b");
  expect(await harness.refusedCalls()).toEqual([excess]);
  await harness.end(calls[0]!);
  expect(harness.running()).toContain("b");
  harness.call("a");
  expect(await harness.refusedCalls()).toEqual([excess]);
});

test("the addresses of one IPv6 /48 have ten times the calls of one, so that a subscriber cannot fill the queue", async () => {
  const harness = createQueueHarness({ callsPerClient: 2 });
  const calls = Array.from({ length: 21 }, (_, index) => harness.call(`2001:db8:1:${index.toString(16)}::/64`));
  harness.call("2001:db8:2:1::/64");
  expect(await harness.refusedCalls()).toEqual([calls[20]]);
});

test("a full queue drops the newest call of its heaviest client and never a light client's", async () => {
  const harness = createQueueHarness({ waiting: 3 });
  await harness.runCalls("heaviest", 30);
  for (const client of ["h1", "h2"]) await harness.runCalls(client, 10);
  const first = ["h1", "h2", "l1", "l2"].map((client) => harness.call(client));
  expect(harness.running()).toEqual(first);
  const [older, newer] = [harness.call("heaviest"), harness.call("heaviest")];
  const heavy = harness.call("h1");
  harness.call("l3");
  harness.call("l4");
  const arriving = harness.call("heaviest");
  harness.call("l5");
  const last = harness.call("l6");
  await settle();
  for (const name of harness.running()) await harness.end(name);
  expect(harness.running(), "among equals the newest is dropped").toEqual(["l3", "l4", "l5"]);
  const dropped = await harness.refusedCalls();
  expect(new Set(dropped)).toEqual(new Set([newer, older, arriving, heavy, last]));
});

test("a call that waited for five seconds is refused", async () => {
  const harness = createQueueHarness({ connections: 1 });
  harness.call("holder");
  harness.call("early");
  harness.advance(3_000);
  harness.call("late");
  harness.advance(2_001);
  await harness.end("holder");
  expect(harness.running()).toEqual(["late"]);
  expect(await harness.refusedCalls()).toEqual(["early"]);
});

test("a refusal is delayed, up to a thousand at once", async () => {
  const clock = createManualClock();
  const queue = createPasswordQueue({ connections: 1, waiting: 0, callsPerClient: 8, clock });
  const call = { client: "a", subject: "p" };
  void queue.run(call, () => new Promise(() => 0));
  let refused = 0;
  const refuse = () => void queue.run(call, () => Promise.resolve()).catch(() => refused++);
  for (let times = 0; times < 1_001; times++) refuse();
  await settle();
  expect(refused).toBe(1);
  clock.advance(4_000);
  await settle();
  expect(refused).toBe(1_001);
  refuse();
  await settle();
  expect(refused, "refusals are delayed again").toBe(1_001);
});

test("the usage of ten thousand clients is kept, and that of the least recent ones is dropped", async () => {
  const clock = createManualClock();
  const queue = createPasswordQueue({
    connections: 4,
    heavyConnections: 2,
    waiting: 9,
    callsPerClient: 9,
    clock,
  });
  const use = async (client: string, calls = 1) => {
    for (let times = 0; times < calls; times++) await queue.run({ client, subject: client }, () => Promise.resolve());
  };
  for (const client of ["forgotten", "remembered"]) await use(client, 5);
  for (let other = 0; other < 9_999; other++) await use(`other ${other}`);
  clock.advance(50);
  const running: string[] = [];
  let subjects = 0;
  const hold = (client: string) =>
    void queue.run({ client, subject: String(subjects++) }, () => new Promise(() => running.push(client)));
  for (let times = 0; times < 3; times++) hold("remembered");
  for (let times = 0; times < 2; times++) hold("forgotten");
  expect(running).toEqual(["remembered", "remembered", "forgotten", "forgotten"]);
});
