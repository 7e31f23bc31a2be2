import { queueOtp } from "../../testing/queued_otp.ts";
import { expect } from "vitest";
import { test as baseTest } from "../fixtures/database_fixtures.ts";
import { eventually } from "../../testing/eventually.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";

const phone = "+12025550101";
const key = "decode(repeat('42', 32), 'hex')";

const issue = `select body as answer from delivery.issue_otp_code($1, ${key}, '{}')`;
const settle = "select (error).code as answer from api.settle_otp_send($1, true)";
const record = (outcome: string) => `
  select delivery.record_attempt(a.id, '${outcome}', null, null, null, null, null, null) as answer
  from platform.delivery_attempt a where a.otp_id = $1 order by a.started_at desc limit 1`;
const refuse = record("refused");

const test = baseTest
  .extend("send", ({ database }) => async (): Promise<string> => {
    const [row] = await database.query<{ id: string }>(
      `select otp_id as id from api.send_otp($1, 'PHONE', 'LOGIN', '192.0.2.1', ${key}, 'US')`,
      [phone],
    );
    return row!.id;
  })
  /**
   * Runs two calls about one row. Returns the answer of the one that starts while the other one is not yet committed.
   */
  .extend("race", ({ database }) => async (first: string, second: string, id: string): Promise<unknown> => {
    const [row] = await raceBehindLock(database, { text: first, values: [id] }, 1, () =>
      database.query<{ answer: unknown }>(second, [id]),
    );
    return row?.answer;
  })
  .extend("deliveryOf", ({ database }) => async (id: string) => {
    const rows = await database.query("select delivery from platform.otp_transaction where id = $1", [id]);
    return rows[0];
  })
  /** How many sends to the phone are counted. */
  .extend("counted", ({ database }) => async (): Promise<number | undefined> => {
    const [row] = await database.query<{ count: number }>(
      "select (totals[cardinality(totals)] - totals[1])::integer as count from platform.rate_limit where key = 'OTP_SEND_PER_IDENTIFIER:' || $1",
      [phone],
    );
    return row?.count;
  });

test.beforeAll(({ database }) => {
  const settings = {
    OTP_PROVIDER: { providerToUse: "console", template: "{{code}}" },
    // A limit so large that sends share an entry of the window: giving one send back twice would give back another one.
    OTP_SEND_PER_IDENTIFIER: "100/2592000",
  };
  return database.query(
    `insert into settings.configuration (key, value) select * from jsonb_each($1)
     on conflict on constraint configuration_pkey do update set value = excluded.value`,
    [settings],
  );
});
test.beforeEach(({ database }) => database.query("delete from platform.rate_limit"));

test("a send that is given back at its deadline is not sent, even if the worker takes it at the same moment", async ({
  send,
  race,
  deliveryOf,
  counted,
}) => {
  const id = await send();
  expect(await race(settle, issue, id)).toBeNull();
  expect(await deliveryOf(id)).toEqual({ delivery: "cancelled" });
  expect(await counted()).toBe(0);
});

test("a send that the worker takes at the moment of its deadline is not given back: it may be sent", async ({
  send,
  race,
  deliveryOf,
  counted,
}) => {
  const id = await send();
  expect(await race(issue, settle, id)).toBe("OTP_SEND_FAILED");
  expect(await deliveryOf(id)).toEqual({ delivery: "cancelled" });
  expect(await counted()).toBe(1);
});

test("a failed attempt that is recorded at the moment of the deadline is not retried", async ({
  database,
  send,
  race,
  deliveryOf,
}) => {
  const id = await send();
  await database.query(issue, [id]);
  expect(await race(settle, record("unreachable"), id)).toBeNull();
  expect(await deliveryOf(id)).toEqual({ delivery: "cancelled" });
});

test("a refusal that is recorded twice at once gives one send back", async ({ database, send, race, counted }) => {
  await send();
  const id = await send();
  for (const step of [issue, settle]) await database.query(step, [id]);
  expect(await counted()).toBe(2);
  await race(refuse, refuse, id);
  expect(await counted()).toBe(1);
});

test("a result wakes only a request that waits for it", async ({ database, connect, send }) => {
  const notified: string[] = [];
  const earlier = await connect();
  earlier.on("notification", ({ payload = "" }) => notified.push(payload));
  await earlier.query("listen otp_delivery");
  const reset = await database.query<{ id: string }>(
    `select (${queueOtp("$1", { purpose: "PASSWORD_RESET", awaited: "false" })}).id`,
    [phone],
  );
  const cancelled = await send();
  await database.query(settle, [cancelled]);
  const awaited = await send();
  for (const id of [reset[0]!.id, cancelled, awaited])
    await earlier.query(
      "select private.settle_delivery(o, 'refused') from platform.otp_transaction o where o.id = $1",
      [id],
    );
  await eventually("the request that waits is woken", () => Promise.resolve(notified.length > 0));
  const [digest] = await database.query<{ of: string }>("select private.notification_digest($1) as of", [awaited]);
  expect(notified).toEqual([digest!.of]);
});

test("a request whose send is withheld is woken once that is committed, to learn how much of its time is left", async ({
  database,
  connect,
  send,
}) => {
  const notified: string[] = [];
  const listener = await connect();
  listener.on("notification", ({ payload = "" }) => notified.push(payload));
  await listener.query("listen otp_delivery");
  const set = (value: string) =>
    database.query("update settings.configuration set value = $1 where key = 'REGISTRATION'", [JSON.stringify(value)]);
  await set("invited");
  const id = await send().finally(() => set("open"));
  await eventually("the request is woken", () => Promise.resolve(notified.length > 0));
  const [digest] = await database.query<{ of: string }>("select private.notification_digest($1) as of", [id]);
  expect(notified).toEqual([digest!.of]);
});

test("a job that is being completed is not lost, and nobody waits for it", async ({ database, connect, send }) => {
  await send();
  const [job] = await database.query<{ id: string; attempts: number }>(
    `update graphile_worker._private_jobs set locked_by = 'own', locked_at = clock_timestamp()
     where id = (select max(id) from graphile_worker._private_jobs) returning id, attempts`,
  );
  const [earlier, later] = [await connect(), await connect()];
  await earlier.query("begin");
  await earlier.query("delete from graphile_worker._private_jobs where id = $1", [job!.id]);
  await later.query("set lock_timeout = '2s'");
  const { rows } = await later.query<{ freed: number }>("select delivery.unlock_lost_jobs('own', $1, $2) as freed", [
    [job!.id],
    [job!.attempts],
  ]);
  expect(rows).toEqual([{ freed: 0 }]);
  await earlier.query("rollback");
  expect(await database.query("select locked_by from graphile_worker._private_jobs where id = $1", [job!.id])).toEqual([
    { locked_by: "own" },
  ]);
});
