import type pg from "pg";
import { expect } from "vitest";
import { blockedConnections } from "../../testing/postgres/lock_race.ts";
import { test } from "../fixtures/database_fixtures.ts";

/** Takes a limit of 3 on one key and of 10 on another, passed in this order. Returns the moment that was counted. */
const take = async (client: pg.Client, keys: string[]): Promise<Date | undefined> => {
  const rules = keys.map(
    (key) => `row('P', '${key}', ${key.startsWith("phone") ? 3 : 10}, interval '1 hour')::private.rate_limit_rule`,
  );
  const { rows } = await client.query<{ taken_at: Date | null }>(
    `select taken_at from private.take_rate_limits(array[${rules.join(", ")}])`,
  );
  return rows[0]?.taken_at ?? undefined;
};

test("64 connections on crossing keys never deadlock, and let through exactly what the limits allow", async ({
  database,
  connect,
}) => {
  const clients = await Promise.all(Array.from({ length: 64 }, connect));
  const taken = new Map<string, number>();
  const count = (key: string) => taken.set(key, (taken.get(key) ?? 0) + 1);
  await Promise.all(
    clients.map(async (client, lane) => {
      for (let turn = 0; turn < 10; turn++) {
        const keys = [`phone ${(lane * 7 + turn) % 20}`, `client ${(lane + turn * 3) % 20}`];
        if (await take(client, lane % 2 ? keys : keys.toReversed())) keys.forEach(count);
      }
    }),
  );
  for (const [key, times] of taken) expect(times, key).toBeLessThanOrEqual(key.startsWith("phone") ? 3 : 10);
  // For each key, as many requests are stored as were allowed.
  const stored = await database.query<{ key: string; count: number }>(
    "select key, cardinality(hits) as count from platform.rate_limit where hits <> '{}' and key <> 'sliding'",
  );
  expect(new Map(stored.map(({ key, count: times }) => [key, times]))).toEqual(taken);
  // Every phone was requested far more often than its limit allows.
  expect([...taken].filter(([key]) => key.startsWith("phone")).map(([, times]) => times)).toEqual(
    Array.from({ length: 20 }, () => 3),
  );
});

test.for([{ keys: ["order a", "order b"] }, { keys: ["order b", "order a"] }])(
  "a call that waits for the first key holds no later one, whatever its order: $keys",
  async ({ keys }, { database, connect }) => {
    const [first, other] = [await connect(), await connect()];
    await database.query(
      "insert into platform.rate_limit (key) values ('order a'), ('order b') on conflict do nothing",
    );
    const lock = (key: string) =>
      first.query("select from platform.rate_limit where key = $1 for update nowait", [key]);
    await first.query("begin");
    await lock("order a");
    await other.query("begin");
    const taking = take(other, keys);
    await blockedConnections(database, 1);
    await expect(lock("order b")).resolves.toBeDefined();
    await first.query("rollback");
    await taking;
    await other.query("rollback");
  },
);

test("a window that slides never holds more than its limit, at any moment", async ({ connect }) => {
  const clients = await Promise.all(Array.from({ length: 16 }, connect));
  const rule = "row('P', 'sliding', 5, interval '100 milliseconds')::private.rate_limit_rule";
  const taken: number[] = [];
  await Promise.all(
    clients.map(async (client) => {
      while (taken.length < 25) {
        const { rows } = await client.query<{ at: string | null }>(
          `select extract(epoch from taken_at) * 1000000 as at from private.take_rate_limits(array[${rule}])`,
        );
        if (rows[0]?.at) taken.push(Number(rows[0].at));
      }
    }),
  );
  taken.sort((a, b) => a - b);
  for (let hit = 5; hit < taken.length; hit++) expect(taken[hit]! - taken[hit - 5]!).toBeGreaterThanOrEqual(100_000);
});
