import pg from "pg";
import { request } from "undici";
import { run } from "graphile-worker";

/**
 * The floor of a send: the queue with the options of our worker, one request to the vendor, one updated row. No limits,
 * no hashed code, no record of an attempt. Works on the rows of floor_server.ts in DATABASE_URL.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL ?? "", max: 5 });
pool.on("error", () => undefined);
pool.on("connect", (connected) => connected.on("error", () => undefined));
await pool.query("create table floor_otp (id uuid primary key, phone text, url text, code text, sent_at timestamptz)");
const concurrency = 64;
await run({
  pgPool: pool,
  concurrency,
  preset: { worker: { localQueue: { size: concurrency } } },
  taskList: {
    async floor_send(payload) {
      const { id } = payload as { id: string };
      const { rows } = await pool.query<{ phone: string; url: string; code: string }>(
        "update floor_otp set code = '123456' where id = $1 returning phone, url, code",
        [id],
      );
      const { phone: to, url = "", code } = rows[0] ?? {};
      const { statusCode, body } = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ to, body: `${code} 5`, id }),
      });
      await body.dump();
      if (statusCode !== 200) throw new Error(`the vendor answered ${statusCode}`);
      await pool.query(
        "with sent as (update floor_otp set sent_at = now() where id = $1 returning id) select pg_notify('floor_sent', id::text) from sent",
        [id],
      );
    },
  },
});
console.log("the floor worker is waiting for jobs");
