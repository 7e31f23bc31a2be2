import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { startVendor } from "../../testing/network/vendor_stand_in.ts";
import { startTarget } from "./fixtures/event_target.ts";
import { range, start, test } from "./fixtures/events_harness.ts";

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

test("an event that is committed after a later one was sent is sent, and one that is rolled back is not", async ({
  database,
  events,
}) => {
  const target = await startTarget("crm");
  await events.subscribe("crm", target.url);
  await start(database);
  const [late, undone] = await Promise.all(
    [0, 1].map(async (n) => {
      const client = new pg.Client({ connectionString: database.superuserUrl });
      await client.connect();
      onTestFinished(() => client.end());
      await client.query(
        `begin; select private.record_event('session.opened', gen_random_uuid(), data => '{"n": ${n}}')`,
      );
      return client;
    }),
  );
  await events.record(randomUUID(), 2);
  await eventually("the later one is sent", () => target.taken.length === 1);
  await undone!.query("rollback");
  await late!.query("commit");
  await eventually("the earlier one is sent", () => target.taken.length === 2);
  await events.record(randomUUID(), 3);
  await eventually("the next one is sent", () => target.taken.length === 3);
  expect(target.taken.map(({ n }) => n)).toEqual([2, 0, 3]);
});

test("an event that is committed late is sent by the job that was sending later ones", async ({ database, events }) => {
  const slow = randomUUID();
  const target = await startTarget("crm", ({ user }) => (user === slow ? "silent" : 204));
  await events.subscribe("crm", target.url);
  const late = new pg.Client({ connectionString: database.superuserUrl });
  await late.connect();
  onTestFinished(() => late.end());
  await late.query(`begin; select private.record_event('session.opened', gen_random_uuid(), data => '{"n": 0}')`);
  await events.record(slow, 1);
  await start(database);
  await eventually("the job waits for an answer", () => target.received.length === 1);
  await events.record(randomUUID(), 2);
  await eventually("it sends others", () => target.taken.length === 1);
  await late.query("commit");
  await eventually("the late one is sent", () => target.taken.length === 2);
  expect(target.taken.map(({ n }) => n)).toEqual([2, 0]);
  // The attempt still hangs: it was the same job.
  expect(target.received).toHaveLength(3);
  expect(await database.query("select from platform.event_delivery where attempts > 0")).toEqual([]);
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
  // It still hangs: they have not waited for the end of its attempt.
  expect(await database.query("select from platform.event_delivery where attempts > 0")).toEqual([]);
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
  await eventually("the first has failed", async () => {
    const failed = await database.query("select from platform.event_delivery where attempts = 1");
    return failed.length === 1;
  });
  await database.query("update platform.event_delivery set queued_at = queued_at - interval '1 day'");
  await events.hurry();
  await eventually("the second is sent, and is no longer stored", async () => {
    const { length } = await database.query("select from platform.event_delivery");
    return target.taken.length === 1 && length === 1;
  });
  expect(target.received.map(({ n }) => n)).toEqual([0, 0, 1]);
  expect(
    await database.query("select attempts, failed_at is not null as failed, last_error from platform.event_delivery"),
  ).toEqual([{ attempts: 2, failed: true, last_error: "HTTP 500" }]);
});
