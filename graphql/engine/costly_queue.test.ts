import { expect, test } from "vitest";
import { createCostlyQueue } from "./costly_queue.ts";
import type { CallerClass } from "./payers.ts";

function setUp() {
  const clock = { now: 0 };
  const queue = createCostlyQueue({ concurrency: 2, perPayer: 3, now: () => clock.now });
  const unfinished = new Map<string, { resolve: (value: string) => void; reject: (error: Error) => void }>();
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    clock,
    run: (payer: string, name: string, callerClass: CallerClass = "users") =>
      queue.run(
        callerClass,
        payer,
        () => new Promise<string>((resolve, reject) => unfinished.set(name, { resolve, reject })),
      ),
    end: async (name: string, error?: Error) => {
      const work = unfinished.get(name);
      unfinished.delete(name);
      if (error) work?.reject(error);
      else work?.resolve(name);
      await settled();
    },
    running: async () => {
      await settled();
      return [...unfinished.keys()];
    },
  };
}

test("two run at once, of different payers", async () => {
  const { clock, run, end, running } = setUp();
  const first = run("a", "a1");
  for (const name of ["a2", "a3"]) void run("a", name);
  for (const payer of ["b", "c"]) void run(payer, payer);
  expect(await running()).toEqual(["a1", "b"]);
  clock.now = 10;
  await end("a1");
  expect(await first).toBe("a1");
  expect(await running()).toEqual(["b", "c"]);
  await end("b");
  expect(await running()).toEqual(["c", "a2"]);
});

test("an error reaches the caller, and frees the slot", async () => {
  const { run, end, running } = setUp();
  const failing = run("a", "a1");
  const next = run("a", "a2");
  await running();
  await Promise.all([expect(failing).rejects.toThrow("broken"), end("a1", new Error("broken"))]);
  expect(await running()).toEqual(["a2"]);
  await end("a2");
  expect(await next).toBe("a2");
});

test("a payer has at most three that run or wait", async () => {
  const { run } = setUp();
  for (const name of ["a1", "a2", "a3"]) void run("a", name);
  await expect(run("a", "a4")).rejects.toMatchObject({ code: "limit-exceeded", status: 429 });
  void run("b", "b1");
});

test("however many guests wait, a user waits for one of them only", async () => {
  const { run, end, running } = setUp();
  for (const guest of ["a", "b", "c", "d"]) void run(guest, guest, "guests");
  void run("user", "user");
  expect(await running()).toEqual(["a", "b"]);
  await end("a");
  await end("b");
  expect(await running()).toContain("user");
});

test("a request that has waited for five seconds is refused", async () => {
  const { clock, run, end, running } = setUp();
  for (const payer of ["a", "b"]) void run(payer, payer);
  const late = run("c", "c");
  await running();
  clock.now = 5_001;
  const inTime = run("d", "d");
  await Promise.all([expect(late).rejects.toMatchObject({ code: "limit-exceeded", status: 429 }), end("a")]);
  expect(await running()).toEqual(["b", "d"]);
  await end("d");
  expect(await inTime).toBe("d");
});

test("a payer that used a slot for long waits behind one that did not", async () => {
  const { clock, run, end, running } = setUp();
  for (const payer of ["a", "b"]) void run(payer, payer);
  await running();
  clock.now = 900;
  for (const name of ["a2", "a3"]) void run("a", name);
  void run("c", "c");
  await end("a");
  await end("b");
  expect(await running()).toEqual(["c", "a2"]);
});
