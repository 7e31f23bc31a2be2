import { expect } from "vitest";
import { createLog } from "../log.ts";
import { collectLog } from "../../testing/log_lines.ts";
import { eventually } from "../../testing/eventually.ts";
import { test } from "../../testing/fixtures.ts";
import { createPoolRenewal, openPool } from "./pool.ts";

test("each lost connection is logged once, whether it was idle or in use", async ({ database }) => {
  const { log, lines } = collectLog();
  const options = { connectionString: database.env.DATABASE_URL, application_name: "a pool", max: 2 };
  const pool = openPool(options, log);
  try {
    const [busy, idle] = await Promise.all([pool.connect(), pool.connect()]);
    idle.release();
    await database.query(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'a pool'",
    );
    await eventually("both are logged", () => lines.length >= 2);
    busy.release(true);
    expect(lines).toEqual(
      [1, 2].map(() => expect.objectContaining({ pool: "a pool", msg: "a database connection failed" }) as unknown),
    );
  } finally {
    await pool.end();
  }
});

test("a renewed pool closes a connection that was idle or in use, once it is released, and no later one", async ({
  database,
}) => {
  const options = { connectionString: database.env.DATABASE_URL, application_name: "renewed", max: 1 };
  const pool = openPool(options, createLog("test", "silent"));
  const renew = createPoolRenewal(pool);
  const pid = async () => (await pool.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;
  try {
    const first = await pid();
    expect(await pid()).toBe(first);
    const inUse = await pool.connect();
    renew();
    inUse.release();
    const second = await pid();
    expect(second).not.toBe(first);
    renew();
    expect(await pid(), "its last user").toBe(second);
    const third = await pid();
    expect(third).not.toBe(second);
    expect(await pid()).toBe(third);
  } finally {
    await pool.end();
  }
});
