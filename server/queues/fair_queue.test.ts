import { expect, test } from "vitest";
import { createFairQueue } from "./fair_queue.ts";

/** Every promise that can go on has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function setUp(concurrency: number) {
  const queue = createFairQueue(concurrency);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (key: string, name: string) =>
    queue.run(key, () => {
      begun.push(name);
      return new Promise<void>((end) => ends.push(end));
    });
  const endOne = async () => {
    ends.shift()?.();
    await settled();
  };
  return { queue, run, endOne, begun };
}

test("no more runs at once than there is room for", async () => {
  const { run, endOne, begun } = setUp(2);
  const runs = Promise.all(["1", "2", "3", "4"].map((name) => run("a", name)));
  await settled();
  expect(begun).toEqual(["1", "2"]);
  await endOne();
  expect(begun).toEqual(["1", "2", "3"]);
  for (let left = 3; left > 0; left--) await endOne();
  await runs;
});

test("keys take turns, whatever one of them has waiting", async () => {
  const { run, endOne, begun } = setUp(1);
  const names = ["a1", "a2", "a3", "a4", "b1", "c1", "b2"];
  const runs = Promise.all(names.map((name) => run(name.slice(0, 1), name)));
  await settled();
  for (let left = names.length; left > 0; left--) await endOne();
  await runs;
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

test("work that fails makes room, and its error is its caller's", async () => {
  const { queue, run, endOne, begun } = setUp(1);
  await expect(queue.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const next = run("a", "next");
  await settled();
  expect(begun).toEqual(["next"]);
  await endOne();
  await next;
});
