import { expect, test } from "vitest";
import { createTurns, type Line } from "./turns.ts";

/** Turns by a clock that work and pauses move on. The work of each takes `ms`. */
function setUp() {
  let time = 0;
  const order: string[] = [];
  const sleep = (ms: number) => {
    order.push(`pause of ${Math.round(ms)}`);
    time += ms;
    return Promise.resolve();
  };
  const turn = createTurns({ now: () => time, cpu: () => time, sleep });
  return {
    order,
    pass: (ms: number) => void (time += ms),
    work: async (
      name: string,
      ms: number,
      { line = "users", isNeeded }: { line?: Line; isNeeded?: () => boolean } = {},
    ) => {
      await turn(line, name, isNeeded);
      order.push(name);
      time += ms;
    },
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("work that arrives together runs one at a time; once the burst is spent a pause follows that is six times as long as it took", async () => {
  const { work, order } = setUp();
  const all = [
    work("first", 30),
    work("second", 40),
    work("third", 100),
    work("fourth", 20),
    work("fifth", 5),
  ];
  await Promise.all(all);
  expect(order).toEqual(["first", "second", "third", "pause of 600", "fourth", "pause of 120", "fifth"]);
});

test("whoever has taken much lately has no part in the burst", async () => {
  const { work, pass, order } = setUp();
  await work("a", 500);
  await settled();
  // The burst is back, and more than its share of what was taken counts still.
  pass(30_000);
  await Promise.all([work("b", 1), work("a", 10), work("a", 10)]);
  expect(order).toEqual(["a", "b", "a", "pause of 60", "a"]);
});

test("the burst comes back slowly", async () => {
  const { work, pass, order } = setUp();
  await Promise.all(["a", "b"].map((name) => work(name, 60)));
  await settled();
  pass(60_000);
  await Promise.all(["c", "d", "e", "f"].map((name) => work(name, 40)));
  expect(order).toEqual(["a", "b", "c", "d", "e", "pause of 240", "f"]);
});

test("time that passes without the CPU is taken from no burst", async () => {
  let time = 0;
  const turn = createTurns({
    ...{ now: () => time, cpu: () => 0 },
    sleep: () => Promise.reject(new Error("it waited")),
  });
  for (let count = 0; count < 5; count++) {
    await turn("users", "payer");
    time += 100;
    await settled();
  }
});

test("lines take turns, so a line's many payers delay another line by one turn", async () => {
  const { work, order } = setUp();
  const guests = ["a", "b", "c", "d"].map((name) => work(name, 10, { line: "guests" }));
  await Promise.all([...guests, work("user", 10), work("admin", 10, { line: "admin" })]);
  expect(order.indexOf("user")).toBeLessThan(3);
  expect(order.indexOf("admin")).toBeLessThan(4);
});

test("in a line whoever has taken less goes first", async () => {
  const { work, order } = setUp();
  await work("heavy", 30);
  await settled();
  const backlog = Array.from({ length: 3 }, () => work("heavy", 30));
  await Promise.all([...backlog, work("light", 1)]);
  expect(order.indexOf("light")).toBe(2);
});

test("what needs its turn no more takes none, and is not refused for having waited", async () => {
  const { work, order } = setUp();
  let known = false;
  const first = work("a", 6_000).then(() => (known = true));
  const others = ["b", "c"].map((name) => work(name, 0, { isNeeded: () => !known }));
  await Promise.all([first, ...others]);
  expect(order).toEqual(["a", "b", "c"]);
});

test("who has waited for five seconds is refused, and takes no turn of the next", async () => {
  const { work, order } = setUp();
  const outcomes = await Promise.allSettled(["a", "b", "c", "d", "e", "f"].map((name) => work(name, 600)));
  expect(order.filter((name) => !name.startsWith("pause"))).toEqual(["a", "b", "c", "d", "e"]);
  for (const outcome of outcomes.slice(5))
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "limit-exceeded", passing: true } });
});
