import { expect, test } from "vitest";
import type { CallerClass } from "./payers.ts";
import { createTurnQueue } from "./turn_queue.ts";

interface Turn {
  callerClass: CallerClass;
  isNeeded: () => boolean;
  isNew: () => boolean;
}

/** A turn queue whose clock is moved by work and by pauses. Pauses that are longer than `longestMs` never end. */
function setUp({ longestMs = Infinity } = {}) {
  let time = 0;
  const order: string[] = [];
  const sleep = (ms: number) => {
    order.push(`pause of ${Math.round(ms)}`);
    if (ms > longestMs) return new Promise(() => undefined);
    time += ms;
    return Promise.resolve();
  };
  const waitForTurn = createTurnQueue({ now: () => time, cpu: () => time, sleep });
  return {
    order,
    pass: (ms: number) => void (time += ms),
    /** Works for so many milliseconds, as the payer of this name. */
    work: async (
      name: string,
      ms: number,
      { callerClass = "users", isNeeded, isNew }: Partial<Turn> = {},
    ) => {
      await waitForTurn(callerClass, name, isNeeded, isNew);
      order.push(name);
      time += ms;
    },
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("work that arrives together runs one at a time; once the burst is exhausted, pauses follow that are six times as long, and a second at most", async () => {
  const { work, order } = setUp();
  const all = [
    work("first", 30),
    work("second", 40),
    work("third", 200),
    work("fourth", 20),
    work("fifth", 5),
    work("sixth", 5),
  ];
  await Promise.all(all);
  expect(order).toEqual([
    ...["first", "second", "third", "pause of 1000", "fourth"],
    ...["pause of 120", "fifth", "pause of 30", "sixth"],
  ]);
});

test("a payer that has used much time lately has no part in the burst", async () => {
  const { work, pass, order } = setUp();
  await work("a", 500);
  await settled();
  // The burst is full again, and the payer's recent usage is still more than 50 ms.
  pass(30_000);
  await Promise.all([work("b", 1), work("a", 10), work("a", 10)]);
  expect(order).toEqual(["a", "b", "a", "pause of 60", "a"]);
});

test("a page gets its first fifty documents in time", async () => {
  const { work, order } = setUp();
  await Promise.all(Array.from({ length: 50 }, () => work("page", 5)));
  expect(order.filter((name) => name === "page")).toHaveLength(50);
  expect(new Set(order)).toEqual(new Set(["page", "pause of 30"]));
});

test("a page of a user gets its first fifty documents in time, although guests have used up their share", async () => {
  const { work, order } = setUp();
  for (const ms of [400, 800]) await work("attacker", ms, { callerClass: "guests" });
  await Promise.all(Array.from({ length: 50 }, () => work("page", 5)));
  expect(order.filter((name) => name === "page")).toHaveLength(50);
  expect(new Set(order.slice(3))).toEqual(new Set(["page", "pause of 30"]));
});

test("the reserve is refilled slowly", async () => {
  const { work, pass, order } = setUp();
  for (const ms of [400, 800]) await work("another", ms);
  await settled();
  pass(225_000);
  for (const ms of [60, 60, 10, 1]) await work("payer", ms);
  expect(order.slice(2)).toEqual(["payer", "payer", "pause of 360", "payer", "pause of 600", "payer"]);
});

test("the more a payer used lately, the longer is the pause after its turn, up to sixty times as long", async () => {
  const { work, order } = setUp();
  // Exhausts the burst, and then the reserve.
  for (const ms of [400, 800]) await work("another", ms);
  for (const ms of [5, 10, 10, 10, 10]) await work("payer", ms);
  await work("another", 1);
  await settled();
  expect(order).toEqual([
    ...["another", "another", "pause of 1000", "payer", "pause of 30", "payer", "pause of 100", "payer"],
    ...["pause of 298", "payer", "pause of 487", "payer", "pause of 600", "another"],
  ]);
});

test("the pauses of a known document do not grow, however much its payer used", async () => {
  const { work, order } = setUp();
  for (const ms of [400, 800]) await work("another", ms);
  await work("payer", 100);
  for (const ms of [10, 10]) await work("payer", ms, { isNew: () => false });
  await work("payer", 10);
  expect(order.slice(4)).toEqual(["pause of 600", "payer", "pause of 60", "payer", "pause of 60", "payer"]);
});

test("nobody who used little waits for the long pauses of payers who used much, neither in their class nor in another", async () => {
  const { work, order } = setUp({ longestMs: 700 });
  const heavy = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
  await work("another", 400);
  for (const name of heavy) await work(name, 100);
  for (const name of heavy) void work(name, 100);
  for (let count = 0; count < 20; count++) await settled();
  void work("light", 10);
  void work("guest", 10, { callerClass: "guests" });
  for (let count = 0; count < 20; count++) await settled();
  expect(order).toContain("pause of 1000");
  expect(order.slice(-4)).toEqual(["pause of 600", "light", "pause of 60", "guest"]);
});

test("after the turn of a payer who used little, one who used much waits no longer than others", async () => {
  const { work, order } = setUp();
  await work("heavy", 400);
  await settled();
  await work("light", 10);
  await work("heavy", 10);
  expect(order).toEqual(["heavy", "light", "pause of 60", "heavy"]);
});

test("the burst is refilled slowly", async () => {
  const { work, pass, order } = setUp();
  await Promise.all(["a", "b"].map((name) => work(name, 60)));
  await settled();
  pass(60_000);
  await Promise.all(["c", "d", "e", "f"].map((name) => work(name, 40)));
  expect(order).toEqual(["a", "b", "c", "d", "e", "pause of 240", "f"]);
});

test("time without use of the CPU is not charged to the burst", async () => {
  let time = 0;
  const waitForTurn = createTurnQueue({
    ...{ now: () => time, cpu: () => 0 },
    sleep: () => Promise.reject(new Error("it paused")),
  });
  for (let count = 0; count < 5; count++) {
    await waitForTurn("users", "payer");
    time += 100;
    await settled();
  }
});

test("classes take turns, so many payers of one class delay another class by one turn", async () => {
  const { work, order } = setUp();
  const guests = ["a", "b", "c", "d"].map((name) => work(name, 10, { callerClass: "guests" }));
  await Promise.all([...guests, work("user", 10), work("admin", 10, { callerClass: "admin" })]);
  expect(order.indexOf("user")).toBeLessThan(3);
  expect(order.indexOf("admin")).toBeLessThan(4);
});

test("within a class, the payer that has used less time goes first", async () => {
  const { work, order } = setUp();
  await work("heavy", 30);
  await settled();
  const backlog = Array.from({ length: 3 }, () => work("heavy", 30));
  await Promise.all([...backlog, work("light", 1)]);
  expect(order.indexOf("light")).toBe(2);
});

test("a request that no longer needs its turn takes none, and is not refused for its long wait", async () => {
  const { work, order } = setUp();
  let isCached = false;
  const first = work("a", 6_000).then(() => (isCached = true));
  const others = ["b", "c"].map((name) => work(name, 0, { isNeeded: () => !isCached }));
  await Promise.all([first, ...others]);
  expect(order).toEqual(["a", "b", "c"]);
});

test("a request that has waited for five seconds is refused, and takes no turn", async () => {
  const { work, order } = setUp();
  const outcomes = await Promise.allSettled(["a", "b", "c", "d", "e", "f"].map((name) => work(name, 600)));
  expect(order.filter((name) => !name.startsWith("pause"))).toEqual(["a", "b", "c", "d", "e"]);
  for (const outcome of outcomes.slice(5))
    expect(outcome).toMatchObject({
      status: "rejected",
      reason: { code: "limit-exceeded", status: 429 },
    });
});
