import { expect, test, vi } from "vitest";
import { workerConfig } from "../config/config.ts";
import { makeDatabase } from "../testing/test_database.ts";
import { pauses } from "../testing/noted_pauses.ts";
import { collectLog } from "../testing/log_lines.ts";
import { ReconnectingPool } from "./reconnecting_pool.ts";

vi.mock(import("node:timers/promises"), async (original) => {
  const { notePauses } = await import("../testing/noted_pauses.ts");
  return notePauses(await original());
});

test("a database that is away is asked again after pauses that grow to two seconds, and no further", async () => {
  const pool = new ReconnectingPool({ connectionString: "postgres://x@127.0.0.1:1/x" }, collectLog().log);
  pool.keepTrying();
  const refused = expect(pool.connect()).rejects.toThrow("ECONNREFUSED");
  await vi.waitUntil(() => pauses.length >= 8, { timeout: 30_000 });
  pool.stopTrying();
  await refused;
  await pool.end();
  expect(pauses.slice(0, 8)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
});

test("a statement whose connection is lost fails with the code for which the queue tries again, and its client is not used again", async () => {
  const database = await makeDatabase();
  const pool = new ReconnectingPool(
    { connectionString: workerConfig(database.env).WORKER_DATABASE_URL, max: 1 },
    collectLog().log,
  );
  pool.on("error", () => undefined);
  try {
    const client = await pool.connect();
    client.on("error", () => undefined);
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const lost = expect(client.query("select pg_sleep(60)")).rejects.toMatchObject({ code: "40001" });
    await database.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await lost;
    client.release();
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  } finally {
    await pool.end();
    await database.drop();
  }
});
