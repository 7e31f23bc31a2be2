import { expect, test } from "vitest";
import { createManualClock, createQueueHarness } from "../../testing/service/password_queue_harness.ts";
import { createPasswordQueue } from "./password_queue.ts";

test("heavy clients use only their share of the connections, so a light client starts at once", async () => {
  const harness = createQueueHarness();
  for (const client of ["h1", "h2", "h3"]) await harness.runCalls(client, 6);
  const heavy = ["h1", "h2", "h3"].map((client) => harness.call(client));
  expect(harness.running()).toEqual(heavy.slice(0, 2));
  harness.call("light");
  harness.call("lighter");
  expect(harness.running()).toEqual([...heavy.slice(0, 2), "light", "lighter"]);
  harness.call("late");
  await harness.end(heavy[0]!);
  expect(harness.running(), "a light call goes before a heavy one that waited").toContain("late");
  await harness.end(heavy[1]!);
  await harness.end("late");
  expect(harness.running()).toContain(heavy[2]);
});

test("calls for one phone run one at a time, and its owner goes before those who guess", async () => {
  const harness = createQueueHarness();
  for (let address = 0; address < 6; address++) await harness.runCalls(`a${address}`, 1, "victim");
  const [first, second] = [0, 1, 2].map((address) => harness.call(`a${address}`, "victim"));
  expect(harness.running()).toEqual([first]);
  harness.call("stranger");
  expect(harness.running()).toEqual([first, "stranger"]);
  harness.call("owner", "victim");
  expect(harness.running()).not.toContain("owner");
  await harness.end(first!);
  expect(harness.running()).toEqual(["stranger", "owner"]);
  await harness.end("owner");
  expect(harness.running()).toEqual(["stranger", second]);
});

test("five calls at once make a client heavy", async () => {
  const harness = createQueueHarness();
  const many = Array.from({ length: 8 }, () => harness.call("many"));
  // The first four started while the client was light.
  expect(harness.running()).toEqual(many.slice(0, 4));
  for (const name of many.slice(0, 4)) await harness.end(name);
  expect(harness.running()).toEqual(many.slice(4, 6));
});

test("a call counts whether it succeeds or fails, however short it was", async () => {
  const clock = createManualClock();
  const queue = createPasswordQueue({
    connections: 4,
    heavyConnections: 2,
    waiting: 9,
    callsPerClient: 9,
    clock,
  });
  const fail = () => Promise.reject(new Error("wrong"));
  for (const client of ["h1", "h2"])
    for (let times = 0; times < 5; times++) await queue.run({ client, subject: client }, fail).catch(() => 0);
  clock.advance(50);
  const running: string[] = [];
  for (const client of ["h1", "h2", "h1", "new"])
    void queue.run({ client, subject: client }, () => new Promise(() => running.push(client)));
  expect(running).toEqual(["h1", "h2", "new"]);
});

test("a client that was heavy is light again after a pause", async () => {
  const harness = createQueueHarness();
  for (const client of ["h1", "h2"]) await harness.runCalls(client, 6);
  const before = ["h1", "h2", "h1"].map((client) => harness.call(client));
  expect(harness.running()).toEqual(before.slice(0, 2));
  for (const name of before) await harness.end(name);
  harness.advance(300_000);
  const after = ["h1", "h2", "h1"].map((client) => harness.call(client));
  expect(harness.running()).toEqual(after);
});

test("a heavy call that returns at once occupies its connection for as long as bcrypt takes", async () => {
  const harness = createQueueHarness();
  await harness.runCalls("h", 6);
  const heavy = Array.from({ length: 4 }, () => harness.call("h"));
  await harness.end(heavy[0]!, 0);
  expect([harness.outcomeOf(heavy[0]!), harness.running()]).toEqual(["done", [heavy[1]]]);
  harness.call("light");
  expect(harness.running(), "but not from light calls").toEqual([heavy[1], "light"]);
  harness.advance(49);
  expect(harness.running()).toEqual([heavy[1], "light"]);
  harness.advance(1);
  expect(harness.running()).toEqual([heavy[1], "light", heavy[2]]);
  await harness.end(heavy[1]!, 0);
  expect(harness.running(), "a call of 50 ms frees its connection at once").toEqual(["light", heavy[2], heavy[3]]);
});
