import { expect, test } from "vitest";
import { createManualClock, createQueueHarness } from "../../testing/password_queue_harness.ts";
import { createPasswordQueue } from "./password_queue.ts";

test("calls run on as many connections as there are, the next one when one ends", async () => {
  const harness = createQueueHarness({ connections: 2 });
  for (const client of ["a", "b", "c"]) harness.call(client);
  expect(harness.running()).toEqual(["a", "b"]);
  await harness.end("a");
  expect(harness.running()).toEqual(["b", "c"]);
  expect(["a", "b", "c"].map(harness.outcomeOf)).toEqual(["done", undefined, undefined]);
});

test("the spare connection is used only while another call takes longer than bcrypt, because it waits for a row", async () => {
  const harness = createQueueHarness({ connections: 2, spareConnections: 1 });
  for (const client of ["a", "b", "c", "d"]) harness.call(client);
  expect(harness.running()).toEqual(["a"]);
  harness.advance(399);
  expect(harness.running()).toEqual(["a"]);
  harness.advance(1);
  expect(harness.running()).toEqual(["a", "b"]);
  harness.advance(400);
  expect(harness.running(), "two calls that wait use all connections").toEqual(["a", "b"]);
  await harness.end("b");
  expect(harness.running()).toEqual(["a", "c"]);
  await harness.end("a");
  expect(harness.running()).toEqual(["c"]);
  await harness.end("c");
  expect(harness.running()).toEqual(["d"]);
});

test("one connection without a spare one is used", () => {
  const harness = createQueueHarness({ connections: 1, spareConnections: 1 });
  harness.call("a");
  expect(harness.running()).toEqual(["a"]);
});

test("a call that fails frees its connection and rejects with its own error, also if its work throws synchronously", async () => {
  const queue = createPasswordQueue({ connections: 1, waiting: 1, clock: createManualClock() });
  const call = { client: "a", phone: "p" };
  for (let times = 0; times < 2; times++) {
    await expect(queue.run(call, () => Promise.reject(new Error("wrong")))).rejects.toThrow("wrong");
    const throwSynchronously = () => {
      throw new Error("broken");
    };
    await expect(queue.run(call, throwSynchronously)).rejects.toThrow("broken");
  }
  expect(await queue.run(call, () => Promise.resolve("right"))).toBe("right");
});

test("among waiting calls, the client with the fewest recent calls goes first", async () => {
  const harness = createQueueHarness({ connections: 1 });
  await harness.runCalls("much", 3);
  await harness.runCalls("little", 1);
  const holder = harness.call("holder");
  const [much, little] = [harness.call("much"), harness.call("little")];
  harness.call("new");
  harness.call("newer");
  await harness.end(holder);
  for (const next of ["new", "newer", little, much]) {
    expect(harness.running()).toEqual([next]);
    await harness.end(next);
  }
});

test("a client with many calls at once waits for a client with one, even if neither has called before", async () => {
  const harness = createQueueHarness({ connections: 1 });
  const [first, second] = Array.from({ length: 3 }, () => harness.call("many"));
  harness.call("one");
  await harness.end(first!, 0);
  expect(harness.running()).toEqual(["one"]);
  await harness.end("one");
  expect(harness.running()).toEqual([second]);
});

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

test("a full queue first drops calls for a phone that many addresses guess at", async () => {
  const harness = createQueueHarness({ connections: 1, waiting: 6 });
  const holder = harness.call("holder");
  for (let address = 0; address < 6; address++) harness.call(`guesser ${address}`, "victim");
  harness.call("stranger");
  expect(await harness.refusedCalls()).toEqual(["guesser 5"]);
  await harness.end(holder);
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
  const queue = createPasswordQueue({ connections: 4, heavyConnections: 2, waiting: 9, clock });
  const fail = () => Promise.reject(new Error("wrong"));
  for (const client of ["h1", "h2"])
    for (let times = 0; times < 5; times++) await queue.run({ client, phone: client }, fail).catch(() => 0);
  clock.advance(50);
  const running: string[] = [];
  for (const client of ["h1", "h2", "h1", "new"])
    void queue.run({ client, phone: client }, () => new Promise(() => running.push(client)));
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
  expect(harness.running(), "a call of 50 ms frees its connection at once").toEqual([
    "light",
    heavy[2],
    heavy[3],
  ]);
});
