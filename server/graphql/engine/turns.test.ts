import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("work that arrives together runs one at a time, with a pause between that is six times as long as it took", async () => {
  let time = 0;
  const order: string[] = [];
  const sleep = (ms: number) => {
    order.push(`pause of ${ms}`);
    time += ms;
    return Promise.resolve();
  };
  const turn = createTurns({ now: () => time, sleep });
  const work = async (name: string, ms: number) => {
    await turn("users", name);
    order.push(name);
    time += ms;
  };
  await Promise.all([work("first", 50), work("second", 20), work("third", 5)]);
  expect(order).toEqual(["first", "pause of 300", "second", "pause of 120", "third"]);
});

test("work that comes later does not wait", async () => {
  let time = 0;
  const sleep = () => Promise.reject(new Error("it waited"));
  const turn = createTurns({ now: () => time, sleep });
  for (let count = 0; count < 3; count++) {
    await turn("users", "payer");
    time += 50;
    await new Promise((resolve) => setImmediate(resolve));
    time += 300;
  }
});

test("lines take turns, so a line's many payers delay another line by one turn", async () => {
  let time = 0;
  const order: string[] = [];
  const turn = createTurns({ now: () => time, sleep: (ms) => Promise.resolve((time += ms)) });
  const work = async (line: "guests" | "users" | "admin", name: string) => {
    await turn(line, name);
    order.push(name);
    time += 10;
  };
  const guests = ["a", "b", "c", "d"].map((name) => work("guests", name));
  await Promise.all([...guests, work("users", "user"), work("admin", "admin")]);
  expect(order.indexOf("user")).toBeLessThan(3);
  expect(order.indexOf("admin")).toBeLessThan(4);
});

test("who has waited for two seconds is refused, and takes no turn of the next", async () => {
  let time = 0;
  const turn = createTurns({ now: () => time, sleep: (ms) => Promise.resolve((time += ms)) });
  const done: string[] = [];
  const work = async (name: string) => {
    await turn("guests", name);
    done.push(name);
    time += 300;
  };
  const outcomes = await Promise.allSettled(["a", "b", "c", "d", "e"].map(work));
  expect(done).toEqual(["a", "b"]);
  for (const outcome of outcomes.slice(2))
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "limit-exceeded", passing: true } });
});
