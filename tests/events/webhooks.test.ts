import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { workerConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { eventually } from "../../testing/eventually.ts";
import { startVendor } from "../../testing/network/vendor_stand_in.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { startWorker } from "../../worker/worker.ts";
import { test as baseTest } from "../fixtures/worker_harness.ts";
import { eventEnvironment, startTarget } from "./fixtures/event_target.ts";

const test = baseTest.extend("events", async ({ database }) => {
  await database.query("delete from settings.event_subscription");
  await database.query("delete from graphile_worker._private_jobs");
  Object.assign(database.env, eventEnvironment);
  return eventsOf(database);
});

/** Subscribes targets, and records events as the service's functions do. */
function eventsOf(database: TestDatabase) {
  const waiting = async () => {
    const [row] = await database.query<{ count: number }>(
      "select count(*)::integer as count from platform.event_delivery where failed_at is null",
    );
    return row?.count ?? 0;
  };
  return {
    async subscribe(id: string, url: string, secret = id): Promise<void> {
      await database.query(
        `insert into settings.event_subscription (id, url, types, secret_name) values ($1, $2, '{session.opened}', $3)`,
        [id, url, secret],
      );
    },
    async record(user: string | null, ...numbers: number[]): Promise<void> {
      for (const n of numbers)
        await database.query("select private.record_event('session.opened', $1, data => $2)", [user, { n }]);
    },
    waiting,
    /** Ends the waits between attempts. */
    hurry: () =>
      database.query(
        "update platform.event_delivery set next_at = clock_timestamp() where next_at > clock_timestamp() and failed_at is null",
      ),
    async subscription(id: string): Promise<{ last_error: string | null; succeeded: boolean } | undefined> {
      const [row] = await database.query<{ last_error: string | null; succeeded: boolean }>(
        "select last_error, last_success_at is not null as succeeded from platform.event_subscription_state where subscription_id = $1",
        [id],
      );
      return row;
    },
  };
}

async function start(database: TestDatabase, env: Record<string, string> = {}): Promise<void> {
  const worker = await startWorker(workerConfig({ ...database.env, ...env }), createLog("test", "silent"));
  onTestFinished(() => worker.stop());
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

test("events arrive once, signed, and in the order of each account, whatever a target refuses and how long it takes", async ({
  database,
  events,
}) => {
  const refused = new Set<string>();
  const target = await startTarget("crm", async ({ id, n }) => {
    await delay((n * 7) % 20);
    if (n % 4 !== 0 || refused.has(id)) return 204;
    refused.add(id);
    return 503;
  });
  await events.subscribe("crm", target.url);
  const users = range(6).map(() => randomUUID());
  await start(database);
  for (const n of range(12)) for (const user of users) await events.record(user, n);
  await eventually("all events are sent", async () => {
    await events.hurry();
    return (await events.waiting()) === 0;
  });
  for (const user of users)
    expect(target.taken.filter((event) => event.user === user).map(({ n }) => n)).toEqual(range(12));
  expect(target.taken).toHaveLength(72);
  expect(target.received.length).toBeGreaterThanOrEqual(72 + refused.size);
  expect(target.received.every(({ isSigned, type }) => isSigned && type === "session.opened")).toBe(true);
  expect(await events.subscription("crm")).toEqual({ last_error: "HTTP 503", succeeded: true });
});

test("events of one transaction, whose ids may be of one millisecond, arrive in their order", async ({
  database,
  events,
}) => {
  const target = await startTarget("crm");
  await events.subscribe("crm", target.url);
  const user = randomUUID();
  await database.query(
    `select private.record_event('session.opened', $1, data => jsonb_build_object('n', n)) from generate_series(0, 29) n`,
    [user],
  );
  await start(database);
  await eventually("all are sent", async () => (await events.waiting()) === 0);
  expect(target.taken.map(({ n }) => n)).toEqual(range(30));
});

test("a target that hangs holds up neither another target nor an SMS, where the worker sends one SMS at a time", async ({
  database,
  events,
  harness,
  person,
  gateway,
}) => {
  const hanging = await startTarget("crm", () => "silent");
  const working = await startTarget("ledger");
  await events.subscribe("crm", hanging.url);
  await events.subscribe("ledger", working.url);
  for (const user of range(20).map(() => randomUUID())) await events.record(user, 1);
  await start(database, { WORKER_CONCURRENCY: "1" });
  await eventually("the target hangs", () => hanging.received.length === 8);
  await eventually("the other one has all", () => working.taken.length === 20);
  const [sms] = await Promise.all([gateway.next(person.phone), harness.requestReset()]);
  expect(sms.to).toBe(person.phone);
  // All of these are still being answered: nothing above has waited for them.
  expect(hanging.received).toHaveLength(8);
});

test("an account whose event hangs does not hold up the other accounts of its target", async ({ database, events }) => {
  const [slow, other] = [randomUUID(), randomUUID()];
  const target = await startTarget("crm", ({ user }) => (user === slow ? "silent" : 204));
  await events.subscribe("crm", target.url);
  await events.record(slow, 0, 1);
  await start(database);
  await eventually("it hangs", () => target.received.length === 1);
  await events.record(other, 0, 1, 2);
  await eventually("the others arrive", () => target.taken.length === 3);
  expect(target.received.filter(({ user }) => user === slow).map(({ n }) => n)).toEqual([0]);
});

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

test("a redirect, a private address and a secret that is not there reach nothing, and the subscription says why", async ({
  database,
  events,
}) => {
  const inside = await startVendor({ status: 200, body: "" });
  const redirecting = await startVendor({ status: 302, headers: { location: inside.url }, body: "" });
  await events.subscribe("redirecting", redirecting.url, "crm");
  await events.subscribe("private", inside.url.replace("127.0.0.1", "localhost"), "crm");
  await events.subscribe("unsigned", inside.url, "unknown");
  await events.record(randomUUID(), 0);
  await start(database);
  for (const [id, reason] of [
    ["redirecting", "HTTP 302"],
    ["private", "PRIVATE_ADDRESS"],
    ["unsigned", "secret_name is not in EVENT_SECRETS"],
  ] as const)
    await eventually(`${id} has failed`, async () => (await events.subscription(id))?.last_error === reason);
  expect(inside.requests).toEqual([]);
});

test("after a day an event is given up and the account's next one is tried", async ({ database, events }) => {
  const user = randomUUID();
  const target = await startTarget("crm", ({ n }) => (n === 0 ? 500 : 204));
  await events.subscribe("crm", target.url);
  await events.record(user, 0, 1);
  await start(database);
  await eventually("the first has failed", () => target.received.length === 1);
  await database.query("update platform.event_delivery set queued_at = queued_at - interval '1 day'");
  await events.hurry();
  await eventually("the second is sent", () => target.taken.length === 1);
  expect(target.received.map(({ n }) => n)).toEqual([0, 0, 1]);
  expect(
    await database.query("select attempts, failed_at is not null as failed, last_error from platform.event_delivery"),
  ).toEqual([{ attempts: 2, failed: true, last_error: "HTTP 500" }]);
});
