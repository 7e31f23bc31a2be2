import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect } from "vitest";
import { workerConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { eventually } from "../../testing/eventually.ts";
import { startWorker } from "../../worker/worker.ts";
import { startTarget } from "./fixtures/event_target.ts";
import { range, start, test } from "./fixtures/events_harness.ts";

test("what a worker was sending when it was killed is sent by another one, and nothing is lost", async ({
  database,
  events,
  harness,
}) => {
  let isSilent = true;
  const target = await startTarget("crm", () => (isSilent ? "silent" : 204));
  await events.subscribe("crm", target.url);
  const users = range(10).map(() => randomUUID());
  for (const user of users) await events.record(user, 0, 1, 2);
  const killed = await harness.spawn();
  await eventually("the worker sends", () => target.received.length === 8);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  isSilent = false;
  const before = target.received.map(({ id }) => id);
  await start(database);
  await harness.ageLocks();
  await eventually("all events are sent", async () => (await events.waiting()) === 0);
  for (const user of users)
    expect(target.taken.filter((event) => event.user === user).map(({ n }) => n)).toEqual([0, 1, 2]);
  // The same ids, by which the target knows those that it may have taken.
  expect(target.taken.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
});

test("a worker that stops waits for no target, and counts no failure", async ({ database, events }) => {
  const target = await startTarget("crm", () => "silent");
  await events.subscribe("crm", target.url);
  await events.record(randomUUID(), 0);
  const worker = await startWorker(workerConfig(database.env), createLog("test", "silent"));
  await eventually("the worker sends", () => target.received.length === 1);
  const startedAt = performance.now();
  await worker.stop();
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  expect(await database.query("select attempts, failed_at from platform.event_delivery")).toEqual([
    { attempts: 0, failed_at: null },
  ]);
});
