import { expect, test } from "vitest";
import { createKeyedQueue } from "./keyed_queue.ts";
import { UnavailableError } from "../../runtime/database/errors.ts";

/** Creates a queue, and work that ends when the test says so. */
function setUp(bounds = { perKey: 100, total: 100 }) {
  const queue = createKeyedQueue(bounds);
  const started: string[] = [];
  const running = new Map<string, PromiseWithResolvers<string>>();
  const run = (key: string, name: string) =>
    queue.run(key, () => {
      started.push(name);
      const work = Promise.withResolvers<string>();
      running.set(name, work);
      return work.promise;
    });
  const end = async (name: string) => {
    running.get(name)?.resolve(name);
    await settle();
  };
  const fail = async (name: string, error: Error) => {
    running.get(name)?.reject(error);
    await settle();
  };
  return { run, end, fail, started };
}
/** Lets every promise continue that can. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const outcomes = (runs: Promise<string>[]) => Promise.allSettled(runs);

test("work of one key runs one at a time in the order of arrival, work of another key beside it", async () => {
  const { run, end, started } = setUp();
  const runs = [run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1")];
  await settle();
  expect(started).toEqual(["a1", "b1"]);
  await end("a1");
  expect(started).toEqual(["a1", "b1", "a2"]);
  await end("a2");
  await end("a3");
  await end("b1");
  expect(await Promise.all(runs)).toEqual(["a1", "a2", "a3", "b1"]);
});

test("work of an idle key starts at once", async () => {
  const { run, end, started } = setUp();
  for (const name of ["first", "second"]) {
    const done = run("a", name);
    await settle();
    await end(name);
    expect(await done).toBe(name);
  }
  expect(started).toEqual(["first", "second"]);
});

test("an error rejects its own call only", async () => {
  const { run, end, fail, started } = setUp();
  const done = outcomes([run("a", "a1"), run("a", "a2")]);
  await settle();
  await fail("a1", new Error("no"));
  expect(started).toEqual(["a1", "a2"]);
  await end("a2");
  expect(await done).toMatchObject([{ status: "rejected" }, { value: "a2" }]);
});

test("an UnavailableError also rejects the calls that wait behind it, and no call of another key", async () => {
  const { run, end, fail, started } = setUp();
  const done = outcomes([run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1"), run("b", "b2")]);
  await settle();
  await fail("a1", new UnavailableError("held"));
  await end("b1");
  await end("b2");
  expect(await done).toMatchObject([
    ...Array.from({ length: 3 }, () => ({ status: "rejected", reason: { message: "held" } })),
    { value: "b1" },
    { value: "b2" },
  ]);
  expect(started).toEqual(["a1", "b1", "b2"]);
  const later = run("a", "a4");
  await settle();
  await end("a4");
  expect(await later).toBe("a4");
});

test.each([
  ["one key", { perKey: 2, total: 100 }, "a"],
  ["all keys together", { perKey: 100, total: 2 }, "b"],
])("beyond the bound for %s, and not before, work is refused at once", async (_, bounds, other) => {
  const { run, end } = setUp(bounds);
  const runs = [run("a", "a1"), run("b", "b1"), run("a", "a2"), run("a", "a3")];
  await settle();
  await expect(run(other, "refused")).rejects.toThrow(UnavailableError);
  await end("a1");
  const again = run(other, "taken");
  for (const name of ["a2", "a3", "b1", "taken"]) await end(name);
  expect(await Promise.all([...runs, again])).toContain("taken");
});
