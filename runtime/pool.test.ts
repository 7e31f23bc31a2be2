import { expect } from "vitest";
import { collectLog } from "../testing/log_lines.ts";
import { eventually } from "../testing/eventually.ts";
import { test } from "../testing/fixtures.ts";
import { openPool } from "./pool.ts";

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
      [1, 2].map(
        () => expect.objectContaining({ pool: "a pool", msg: "a database connection failed" }) as unknown,
      ),
    );
  } finally {
    await pool.end();
  }
});
