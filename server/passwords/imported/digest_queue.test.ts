import { setImmediate as settle } from "node:timers/promises";
import { expect, test } from "vitest";
import { UnavailableError } from "../../../runtime/database/errors.ts";
import { createManualClock } from "../../../testing/service/password_queue_harness.ts";
import { createDigestQueue } from "./digest_queue.ts";

function setUp(callsPerClient = 8) {
  const clock = createManualClock();
  const queue = createDigestQueue({ callsPerClient, clock });
  const running = new Map<string, (error?: Error) => void>();
  const outcomes = new Map<string, unknown>();
  return {
    clock,
    outcomes,
    running: () => [...running.keys()],
    call: (client: string, name = client) => {
      const work = () =>
        new Promise<string>((resolve, reject) =>
          running.set(name, (error) => (error ? reject(error) : resolve(`digest of ${name}`))),
        );
      queue.run(client, work).then(
        (digest) => outcomes.set(name, digest),
        (error: unknown) => outcomes.set(name, error),
      );
    },
    end: async (name: string, ms: number, error?: Error) => {
      clock.advance(ms);
      running.get(name)!(error);
      running.delete(name);
      await settle();
    },
  };
}

test("digests are computed one at a time, and their errors are those of the work", async () => {
  const { call, end, running, outcomes } = setUp();
  for (const client of ["a", "b"]) call(client);
  expect(running()).toEqual(["a"]);
  await end("a", 1_500);
  expect(running()).toEqual(["b"]);
  await end("b", 1_500, new Error("of b"));
  expect([...outcomes]).toEqual([
    ["a", "digest of a"],
    ["b", new Error("of b")],
  ]);
});

test("time is charged, not calls: the client of one dear digest goes after that of many cheap ones", async () => {
  const { call, end, running } = setUp();
  call("dear");
  await end("dear", 1_500);
  for (let count = 0; count < 5; count++) {
    call("cheap");
    await end("cheap", 20);
  }
  call("holder");
  for (const client of ["dear", "cheap", "new"]) call(client);
  for (const next of ["new", "cheap", "dear"]) {
    await end(running()[0]!, 10);
    expect(running()).toEqual([next]);
  }
});

test("a client has no more than its calls, and nobody waits longer than five seconds", async () => {
  const { call, running, outcomes, clock, end } = setUp(2);
  for (const name of ["a1", "a2", "a3"]) call("a", name);
  call("b");
  await settle();
  expect(outcomes.get("a3")).toBeInstanceOf(UnavailableError);
  clock.advance(5_000);
  await settle();
  for (const name of ["a2", "b"]) expect(outcomes.get(name)).toBeInstanceOf(UnavailableError);
  expect(outcomes.has("a1"), "it runs").toBe(false);
  await end("a1", 0);
  expect(running(), "those that were refused are not computed").toEqual([]);
  call("c");
  expect(running()).toEqual(["c"]);
});

test("time counts half after ten seconds", async () => {
  const { call, end, running, clock } = setUp();
  call("early");
  await end("early", 100);
  clock.advance(10_000);
  call("late");
  await end("late", 60);
  call("holder");
  for (const client of ["late", "early"]) call(client);
  await end("holder", 0);
  expect(running()).toEqual(["early"]);
});

test("where too many wait, the client with most of them loses the latest to a client who has fewer", async () => {
  const { call, running, outcomes } = setUp(300);
  for (let count = 0; count < 101; count++) call("many", `many ${count}`);
  for (let count = 0; count < 100; count++) call("fewer", `fewer ${count}`);
  call("one");
  await settle();
  expect([...outcomes.keys()]).toEqual(["many 100"]);
  for (let count = 0; count < 99; count++) call(`other ${count}`);
  call("many", "many more");
  await settle();
  expect(outcomes.get("many more"), "it would have most").toBeInstanceOf(UnavailableError);
  expect(running()).toEqual(["many 0"]);
});
