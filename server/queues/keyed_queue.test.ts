import { expect, test } from "vitest";
import { createKeyedQueue } from "./keyed_queue.ts";
import { Unavailable } from "../../runtime/database_errors.ts";

/** A queue, and work that begins and ends when the test says so. */
function setUp(bounds = { perKey: 100, inAll: 100 }) {
  const queue = createKeyedQueue(bounds);
  const begun: string[] = [];
  const running = new Map<string, PromiseWithResolvers<string>>();
  const run = (key: string, name: string) =>
    queue.run(key, () => {
      begun.push(name);
      const work = Promise.withResolvers<string>();
      running.set(name, work);
      return work.promise;
    });
  const end = async (name: string) => {
    running.get(name)?.resolve(name);
    await settled();
  };
  const fail = async (name: string, error: Error) => {
    running.get(name)?.reject(error);
    await settled();
  };
  return { run, end, fail, begun };
}
/** Every promise that can go on has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const outcomes = (runs: Promise<string>[]) => Promise.allSettled(runs);

test("work of one key runs one at a time in the order of arrival, work of another key beside it", async () => {
  const { run, end, begun } = setUp();
  const runs = [run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1")];
  await settled();
  expect(begun).toEqual(["a1", "b1"]);
  await end("a1");
  expect(begun).toEqual(["a1", "b1", "a2"]);
  await end("a2");
  await end("a3");
  await end("b1");
  expect(await Promise.all(runs)).toEqual(["a1", "a2", "a3", "b1"]);
});

test("a key whose work is done begins at once again", async () => {
  const { run, end, begun } = setUp();
  for (const name of ["first", "second"]) {
    const done = run("a", name);
    await settled();
    await end(name);
    expect(await done).toBe(name);
  }
  expect(begun).toEqual(["first", "second"]);
});

test("an error is its own work's alone", async () => {
  const { run, end, fail, begun } = setUp();
  const done = outcomes([run("a", "a1"), run("a", "a2")]);
  await settled();
  await fail("a1", new Error("no"));
  expect(begun).toEqual(["a1", "a2"]);
  await end("a2");
  expect(await done).toMatchObject([{ status: "rejected" }, { value: "a2" }]);
});

test("work that cannot be had now refuses what waits behind it, and nothing of another key", async () => {
  const { run, end, fail, begun } = setUp();
  const done = outcomes([run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1"), run("b", "b2")]);
  await settled();
  await fail("a1", new Unavailable("held"));
  await end("b1");
  await end("b2");
  expect(await done).toMatchObject([
    ...Array.from({ length: 3 }, () => ({ status: "rejected", reason: { message: "held" } })),
    ...[{ value: "b1" }, { value: "b2" }],
  ]);
  expect(begun).toEqual(["a1", "b1", "b2"]);
  const later = run("a", "a4");
  await settled();
  await end("a4");
  expect(await later).toBe("a4");
});

test.each([
  ["one key", { perKey: 2, inAll: 100 }, "a"],
  ["all keys together", { perKey: 100, inAll: 2 }, "b"],
])("beyond the bound for %s work is refused at once, and not before", async (_, bounds, other) => {
  const { run, end } = setUp(bounds);
  const runs = [run("a", "a1"), run("b", "b1"), run("a", "a2"), run("a", "a3")];
  await settled();
  await expect(run(other, "refused")).rejects.toThrow(Unavailable);
  await end("a1");
  const again = run(other, "taken");
  for (const name of ["a2", "a3", "b1", "taken"]) await end(name);
  expect(await Promise.all([...runs, again])).toContain("taken");
});
