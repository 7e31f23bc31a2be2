import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workerConfig } from "../../config/config.ts";
import { makeLog } from "../../runtime/log.ts";
import { makeDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { openDelivery } from "../delivery.ts";
import { ReconnectingPool } from "../reconnecting_pool.ts";

let database: TestDatabase;
let pool: ReconnectingPool;
beforeAll(async () => {
  database = await makeDatabase();
  const connectionString = workerConfig(database.env).directUrl;
  pool = new ReconnectingPool({ connectionString, max: 1 }, makeLog("test", "silent"));
  // The database is dropped while the connection still closes.
  pool.on("connect", (client) => client.on("error", () => undefined));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test("a clean-up of many pages waits for nobody, and leaves what somebody holds for the next one", async () => {
  await database.query(
    `insert into platform.rate_limit (key, hits, totals)
     select 'spent ' || n, array_fill(now() - interval '2 hours', array[60]), array(select generate_series(0, 60)::bigint)
     from generate_series(1, 9000) n`,
  );
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from platform.rate_limit where key in ('spent 1', 'spent 9000') for update");
  await openDelivery(pool).cleanUp();
  const left = () => database.query("select key from platform.rate_limit order by key");
  expect(await left()).toEqual([{ key: "spent 1" }, { key: "spent 9000" }]);
  await holder.end();
  await openDelivery(pool).cleanUp();
  expect(await left()).toEqual([]);
});
