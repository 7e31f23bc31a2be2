import { expect, test } from "vitest";
import { createManualClock, createQueueHarness } from "../../testing/service/password_queue_harness.ts";
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

test("while nothing else runs, calls use every connection, the spare one and those of light calls too", async () => {
  const harness = createQueueHarness({ connections: 2, spareConnections: 1 });
  await harness.runCalls("heavy", 5);
  harness.setAlone(true);
  const [first, second, third, fourth] = Array.from({ length: 4 }, () => harness.call("heavy"));
  expect(harness.running()).toEqual([first, second]);
  await harness.end(first!);
  expect(harness.running()).toEqual([second, third]);
  harness.setAlone(false);
  await harness.end(second!);
  expect(harness.running(), "something else came").toEqual([third]);
  await harness.end(third!);
  expect(harness.running()).toEqual([fourth]);
});

test("one connection without a spare one is used", () => {
  const harness = createQueueHarness({ connections: 1, spareConnections: 1 });
  harness.call("a");
  expect(harness.running()).toEqual(["a"]);
});

test("a call that fails frees its connection and rejects with its own error, also if its work throws synchronously", async () => {
  const queue = createPasswordQueue({
    connections: 1,
    waiting: 1,
    callsPerClient: 8,
    clock: createManualClock(),
  });
  const call = { client: "a", subject: "p" };
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

test("a full queue first drops calls for a phone that many addresses guess at", async () => {
  const harness = createQueueHarness({ connections: 1, waiting: 6 });
  const holder = harness.call("holder");
  for (let address = 0; address < 6; address++) harness.call(`guesser ${address}`, "victim");
  harness.call("stranger");
  expect(await harness.refusedCalls()).toEqual(["guesser 5"]);
  await harness.end(holder);
});
