import { expect, test } from "vitest";
import { createUsageQueue } from "./usage_queue.ts";

type Options = Partial<Parameters<typeof createUsageQueue>[0]>;

function setUp(options: Options = {}) {
  const clock = { now: 0 };
  const queue = createUsageQueue({
    concurrency: 1,
    bounds: { perPayer: 10, total: 100 },
    refusal: () => new Error("too many"),
    now: () => clock.now,
    ...options,
  });
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    clock,
    charge: queue.charge,
    run: (payer: string, name: string) =>
      queue.run(payer, () => new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }))),
    end: async (name: string, error?: Error) => {
      const work = ends.get(name);
      ends.delete(name);
      if (error) work?.reject(error);
      else work?.resolve();
      await settled();
    },
    running: async () => {
      await settled();
      return [...ends.keys()];
    },
  };
}

test("the payer who has used less goes first, and among equals the one who came first", async () => {
  const { run, charge, end, running } = setUp();
  charge("heavy", 50);
  for (const [payer, name] of [
    ["first", "f1"],
    ["heavy", "h1"],
    ["b", "b1"],
    ["c", "c1"],
  ] as const)
    void run(payer, name);
  const order: string[] = [];
  for (let count = 0; count < 4; count++) {
    const [name = ""] = await running();
    order.push(name);
    await end(name);
  }
  expect(order).toEqual(["f1", "b1", "c1", "h1"]);
});

test("usage counts half after ten seconds", async () => {
  const { run, charge, clock, end, running } = setUp();
  charge("early", 100);
  clock.now = 10_000;
  charge("late", 60);
  void run("x", "x1");
  void run("late", "l1");
  void run("early", "e1");
  await end((await running())[0] ?? "");
  expect(await running()).toEqual(["e1"]);
});

test("a payer uses a limited number of slots, and the others go to the next payers", async () => {
  const { run, end, running } = setUp({ concurrency: 2, concurrencyPerPayer: 1 });
  for (const name of ["a1", "a2"]) void run("a", name);
  void run("b", "b1");
  expect(await running()).toEqual(["a1", "b1"]);
  await end("b1");
  expect(await running()).toEqual(["a1"]);
  await end("a1");
  expect(await running()).toEqual(["a2"]);
});

test("heavy payers share a few of the slots; light ones may use all", async () => {
  const { run, charge, end, running } = setUp({ concurrency: 3, heavyConcurrency: 1, heavyMs: 100 });
  for (const payer of ["h", "i"]) charge(payer, 200);
  for (const payer of ["h", "i", "a", "b"]) void run(payer, payer);
  expect(await running()).toEqual(["h", "a", "b"]);
  await end("a");
  expect(await running()).toEqual(["h", "b"]);
  await end("h");
  expect(await running()).toEqual(["b", "i"]);
});

test("running and waiting tasks are bounded per payer and in total", async () => {
  const { run, end } = setUp({ bounds: { perPayer: 2, total: 3 } });
  for (const name of ["a1", "a2"]) void run("a", name);
  await expect(run("a", "a3")).rejects.toThrow("too many");
  for (const payer of ["b", "c"]) void run(payer, payer);
  await expect(run("d", "d1")).rejects.toThrow("too many");
  await end("a1");
  void run("a", "a4");
  await expect(run("a", "a5")).rejects.toThrow("too many");
});

test("in a full queue the payer with the most waiting tasks loses the latest one to a payer who has fewer", async () => {
  const { run, end, running } = setUp({ bounds: { perPayer: 3, total: 3 } });
  const [, , latest] = ["a1", "a2", "a3"].map((name) => run("a", name));
  void run("b", "b1");
  const refused = expect(latest).rejects.toThrow("too many");
  void run("c", "c1");
  await refused;
  await expect(run("d", "d1")).rejects.toThrow("too many");
  for (const name of ["a1", "a2", "b1", "c1"]) {
    expect(await running()).toEqual([name]);
    await end(name);
  }
  expect(await running()).toEqual([]);
});

test("a task that fails frees its place, and its caller gets the error", async () => {
  const { run, end, running } = setUp();
  const failing = run("a", "a1");
  void run("a", "a2");
  await running();
  await Promise.all([expect(failing).rejects.toThrow("broken"), end("a1", new Error("broken"))]);
  expect(await running()).toEqual(["a2"]);
});
