import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("work that arrives together runs one at a time, with a pause between that is four times as long as it took", async () => {
  let time = 0;
  const order: string[] = [];
  const sleep = (ms: number) => {
    order.push(`pause of ${ms}`);
    time += ms;
    return Promise.resolve();
  };
  const turn = createTurns({ now: () => time, sleep });
  const work = async (name: string, ms: number) => {
    await turn(name);
    order.push(name);
    time += ms;
  };
  await Promise.all([work("first", 50), work("second", 20), work("third", 5)]);
  expect(order).toEqual(["first", "pause of 200", "second", "pause of 80", "third"]);
});

test("work that comes later does not wait", async () => {
  let time = 0;
  const sleep = () => Promise.reject(new Error("it waited"));
  const turn = createTurns({ now: () => time, sleep });
  for (let count = 0; count < 3; count++) {
    await turn("payer");
    time += 50;
    await new Promise((resolve) => setImmediate(resolve));
    time += 200;
  }
});
