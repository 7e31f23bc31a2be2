import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

/** Lets every promise continue that can. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function setUp(atOnce: number, perKey?: number) {
  const queue = createTurns(atOnce, perKey);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const run = (key: string, name: string) =>
    queue.run(key, () => {
      started.push(name);
      return new Promise<void>((end) => ends.push(end));
    });
  const endOne = async () => {
    ends.shift()?.();
    await settle();
  };
  return { queue, run, endOne, started };
}

test("no more tasks run at once than the concurrency allows", async () => {
  const { run, endOne, started } = setUp(2);
  const runs = Promise.all(["1", "2", "3", "4"].map((name) => run("a", name)));
  await settle();
  expect(started).toEqual(["1", "2"]);
  await endOne();
  expect(started).toEqual(["1", "2", "3"]);
  for (let left = 3; left > 0; left--) await endOne();
  await runs;
});

test("keys take turns, even if one of them has many tasks waiting", async () => {
  const { run, endOne, started } = setUp(1);
  const names = ["a1", "a2", "a3", "a4", "b1", "c1", "b2"];
  const runs = Promise.all(names.map((name) => run(name.slice(0, 1), name)));
  await settle();
  for (let left = names.length; left > 0; left--) await endOne();
  await runs;
  expect(started).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("a key that had no turn in the last second comes before those that had one", async () => {
  const { run, endOne, started } = setUp(1);
  const names = ["a1", "b1", "a2", "b2", "c1"];
  const runs = names.slice(0, 4).map((name) => run(name.slice(0, 1), name));
  await settle();
  await endOne();
  expect(started).toEqual(["a1", "b1"]);
  runs.push(run("c", "c1"));
  for (let left = 4; left > 0; left--) await endOne();
  await Promise.all(runs);
  expect(started).toEqual(["a1", "b1", "c1", "a2", "b2"]);
});

test("a task that fails frees its slot, and its caller gets the error", async () => {
  const { queue, run, endOne, started } = setUp(1);
  await expect(queue.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const next = run("a", "next");
  await settle();
  expect(started).toEqual(["next"]);
  await endOne();
  await next;
});

test("a key has no more turns at once than it may have, and others have the rest", async () => {
  const { run, endOne, started } = setUp(2, 1);
  const runs = Promise.all(["a1", "a2", "b1"].map((name) => run(name.slice(0, 1), name)));
  await settle();
  expect(started).toEqual(["a1", "b1"]);
  await endOne();
  expect(started).toEqual(["a1", "b1", "a2"]);
  for (let left = 2; left > 0; left--) await endOne();
  await runs;
});
