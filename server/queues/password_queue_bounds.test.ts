import { setImmediate as settle } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeClock, makeLane } from "../../testing/password_lane.ts";
import { createPasswordQueue } from "./password_queue.ts";

test("a client has eight calls in the queue at most; others have room", async () => {
  const lane = makeLane();
  const calls = Array.from({ length: 8 }, () => lane.call("a"));
  const ninth = lane.call("a");
  lane.call("b");
  expect(await lane.refused()).toEqual([ninth]);
  await lane.end(calls[0]!);
  expect(lane.running()).toContain("b");
  lane.call("a");
  expect(await lane.refused()).toEqual([ninth]);
});

test("a full queue drops the newest call of its heaviest client and never a light client's", async () => {
  const lane = makeLane({ waiting: 3 });
  await lane.use("heaviest", 30);
  for (const client of ["h1", "h2"]) await lane.use(client, 10);
  const first = ["h1", "h2", "l1", "l2"].map((client) => lane.call(client));
  expect(lane.running()).toEqual(first);
  const [older, newer] = [lane.call("heaviest"), lane.call("heaviest")];
  const heavy = lane.call("h1");
  lane.call("l3");
  lane.call("l4");
  const arriving = lane.call("heaviest");
  lane.call("l5");
  const last = lane.call("l6");
  await settle();
  for (const name of lane.running()) await lane.end(name);
  expect(lane.running(), "of equals the newest is dropped").toEqual(["l3", "l4", "l5"]);
  const dropped = await lane.refused();
  expect(new Set(dropped)).toEqual(new Set([newer, older, arriving, heavy, last]));
});

test("a call that waited for five seconds is refused", async () => {
  const lane = makeLane({ connections: 1 });
  lane.call("holder");
  lane.call("early");
  lane.pass(3_000);
  lane.call("late");
  lane.pass(2_001);
  await lane.end("holder");
  expect(lane.running()).toEqual(["late"]);
  expect(await lane.refused()).toEqual(["early"]);
});

test("a refusal is held back for a while, a thousand at once at most", async () => {
  const clock = makeClock();
  const queue = createPasswordQueue({ connections: 1, waiting: 0, clock });
  const call = { client: "a", phone: "p" };
  void queue.run(call, () => new Promise(() => 0));
  let refused = 0;
  const refuse = () => void queue.run(call, () => Promise.resolve()).catch(() => refused++);
  for (let times = 0; times < 1_001; times++) refuse();
  await settle();
  expect(refused).toBe(1);
  clock.pass(4_000);
  await settle();
  expect(refused).toBe(1_001);
  refuse();
  await settle();
  expect(refused, "there is room again").toBe(1_001);
});

test("ten thousand clients are remembered, and those that called least recently forgotten", async () => {
  const clock = makeClock();
  const queue = createPasswordQueue({ connections: 4, heavyConnections: 2, waiting: 9, clock });
  const use = async (client: string, calls = 1) => {
    for (let times = 0; times < calls; times++)
      await queue.run({ client, phone: client }, () => Promise.resolve());
  };
  for (const client of ["forgotten", "remembered"]) await use(client, 5);
  for (let other = 0; other < 9_999; other++) await use(`other ${other}`);
  clock.pass(50);
  const running: string[] = [];
  let phones = 0;
  const hold = (client: string) =>
    void queue.run({ client, phone: String(phones++) }, () => new Promise(() => running.push(client)));
  for (let times = 0; times < 3; times++) hold("remembered");
  for (let times = 0; times < 2; times++) hold("forgotten");
  expect(running).toEqual(["remembered", "remembered", "forgotten", "forgotten"]);
});
