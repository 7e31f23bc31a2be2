import { expect, test } from "vitest";
import { makeClock, makeLane } from "../../testing/password_lane.ts";
import { createPasswordQueue } from "./password_queue.ts";

test("calls run on as many connections as there are, the next one when one ends", async () => {
  const lane = makeLane({ connections: 2 });
  for (const client of ["a", "b", "c"]) lane.call(client);
  expect(lane.running()).toEqual(["a", "b"]);
  await lane.end("a");
  expect(lane.running()).toEqual(["b", "c"]);
  expect(["a", "b", "c"].map(lane.outcomeOf)).toEqual(["done", undefined, undefined]);
});

test("the spare connection is used only while another call takes longer than bcrypt does, so waits for a row", async () => {
  const lane = makeLane({ connections: 2, spareConnections: 1 });
  for (const client of ["a", "b", "c", "d"]) lane.call(client);
  expect(lane.running()).toEqual(["a"]);
  lane.pass(399);
  expect(lane.running()).toEqual(["a"]);
  lane.pass(1);
  expect(lane.running()).toEqual(["a", "b"]);
  lane.pass(400);
  expect(lane.running(), "two that wait use all that there is").toEqual(["a", "b"]);
  await lane.end("b");
  expect(lane.running()).toEqual(["a", "c"]);
  await lane.end("a");
  expect(lane.running()).toEqual(["c"]);
  await lane.end("c");
  expect(lane.running()).toEqual(["d"]);
});

test("one connection without a spare one is used", () => {
  const lane = makeLane({ connections: 1, spareConnections: 1 });
  lane.call("a");
  expect(lane.running()).toEqual(["a"]);
});

test("a call that fails makes room and rejects with its own error, work that throws at once too", async () => {
  const queue = createPasswordQueue({ connections: 1, waiting: 1, clock: makeClock() });
  const call = { client: "a", phone: "p" };
  for (let times = 0; times < 2; times++) {
    await expect(queue.run(call, () => Promise.reject(new Error("wrong")))).rejects.toThrow("wrong");
    const thrower = () => {
      throw new Error("broken");
    };
    await expect(queue.run(call, thrower)).rejects.toThrow("broken");
  }
  expect(await queue.run(call, () => Promise.resolve("right"))).toBe("right");
});

test("of those that wait, the client that has used least lately goes first", async () => {
  const lane = makeLane({ connections: 1 });
  await lane.use("much", 3);
  await lane.use("little", 1);
  const holder = lane.call("holder");
  const [much, little] = [lane.call("much"), lane.call("little")];
  lane.call("new");
  lane.call("newer");
  await lane.end(holder);
  for (const next of ["new", "newer", little, much]) {
    expect(lane.running()).toEqual([next]);
    await lane.end(next);
  }
});

test("a client that asks for much at once waits for one that does not, neither having used anything", async () => {
  const lane = makeLane({ connections: 1 });
  const [first, second] = Array.from({ length: 3 }, () => lane.call("many"));
  lane.call("one");
  await lane.end(first!, 0);
  expect(lane.running()).toEqual(["one"]);
  await lane.end("one");
  expect(lane.running()).toEqual([second]);
});

test("heavy clients use the connections that are theirs, so a light one starts at once", async () => {
  const lane = makeLane();
  for (const client of ["h1", "h2", "h3"]) await lane.use(client, 6);
  const heavy = ["h1", "h2", "h3"].map((client) => lane.call(client));
  expect(lane.running()).toEqual(heavy.slice(0, 2));
  lane.call("light");
  lane.call("lighter");
  expect(lane.running()).toEqual([...heavy.slice(0, 2), "light", "lighter"]);
  lane.call("late");
  await lane.end(heavy[0]!);
  expect(lane.running(), "a light one goes before a heavy one that waited").toContain("late");
  await lane.end(heavy[1]!);
  await lane.end("late");
  expect(lane.running()).toContain(heavy[2]);
});

test("calls for one phone run one at a time, and its owner goes before those who guess", async () => {
  const lane = makeLane();
  for (let address = 0; address < 6; address++) await lane.use(`a${address}`, 1, "victim");
  const [first, second] = [0, 1, 2].map((address) => lane.call(`a${address}`, "victim"));
  expect(lane.running()).toEqual([first]);
  lane.call("stranger");
  expect(lane.running()).toEqual([first, "stranger"]);
  lane.call("owner", "victim");
  expect(lane.running()).not.toContain("owner");
  await lane.end(first!);
  expect(lane.running()).toEqual(["stranger", "owner"]);
  await lane.end("owner");
  expect(lane.running()).toEqual(["stranger", second]);
});

test("of a full queue the calls for a phone that many addresses guess at are dropped first", async () => {
  const lane = makeLane({ connections: 1, waiting: 6 });
  const holder = lane.call("holder");
  for (let address = 0; address < 6; address++) lane.call(`guesser ${address}`, "victim");
  lane.call("stranger");
  expect(await lane.refused()).toEqual(["guesser 5"]);
  await lane.end(holder);
});

test("five calls at once make a client heavy", async () => {
  const lane = makeLane();
  const many = Array.from({ length: 8 }, () => lane.call("many"));
  // They started while it was light.
  expect(lane.running()).toEqual(many.slice(0, 4));
  for (const name of many.slice(0, 4)) await lane.end(name);
  expect(lane.running()).toEqual(many.slice(4, 6));
});

test("a call counts whether it succeeds or fails, however short it was", async () => {
  const clock = makeClock();
  const queue = createPasswordQueue({ connections: 4, heavyConnections: 2, waiting: 9, clock });
  const fail = () => Promise.reject(new Error("wrong"));
  for (const client of ["h1", "h2"])
    for (let times = 0; times < 5; times++) await queue.run({ client, phone: client }, fail).catch(() => 0);
  clock.pass(50);
  const running: string[] = [];
  for (const client of ["h1", "h2", "h1", "new"])
    void queue.run({ client, phone: client }, () => new Promise(() => running.push(client)));
  expect(running).toEqual(["h1", "h2", "new"]);
});

test("a client that was heavy is light again when it has rested", async () => {
  const lane = makeLane();
  for (const client of ["h1", "h2"]) await lane.use(client, 6);
  const before = ["h1", "h2", "h1"].map((client) => lane.call(client));
  expect(lane.running()).toEqual(before.slice(0, 2));
  for (const name of before) await lane.end(name);
  lane.pass(300_000);
  const after = ["h1", "h2", "h1"].map((client) => lane.call(client));
  expect(lane.running()).toEqual(after);
});

test("a heavy call that is answered at once keeps its place for as long as bcrypt takes", async () => {
  const lane = makeLane();
  await lane.use("h", 6);
  const heavy = Array.from({ length: 4 }, () => lane.call("h"));
  await lane.end(heavy[0]!, 0);
  expect([lane.outcomeOf(heavy[0]!), lane.running()]).toEqual(["done", [heavy[1]]]);
  lane.call("light");
  expect(lane.running(), "but not from light calls").toEqual([heavy[1], "light"]);
  lane.pass(49);
  expect(lane.running()).toEqual([heavy[1], "light"]);
  lane.pass(1);
  expect(lane.running()).toEqual([heavy[1], "light", heavy[2]]);
  await lane.end(heavy[1]!, 0);
  expect(lane.running(), "a call of 50 ms needs no rest").toEqual(["light", heavy[2], heavy[3]]);
});
