import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migratorConfig } from "../config/config.ts";
import { migrate } from "../db/migrate.ts";
import { ensureDatabase, startThrowaway, viaSocket } from "../embedded/index.ts";
import { databaseOf } from "../testing/urls.ts";
import { preciseCpuOf } from "./cpu.ts";
import { median, round } from "./figures.ts";

/**
 * npm run bench:rows: what calls cost PostgreSQL, beside the rows that they change, written without any rule (row_costs.sql): no call can
 * be cheaper than its rows. CPU of one backend, 16 calls in a transaction as in a batch, no wait for the disk. Compare ratios.
 */
const rounds = Number(process.env.ROUNDS ?? 7);
const perRound = Number(process.env.PER_ROUND ?? 800);
const perTransaction = 16;

const postgres = await startThrowaway({ settings: { synchronous_commit: "off" } });
const owner = { role: "latchkey_migrator", password: "bench", database: "latchkey" };
const DATABASE_URL = viaSocket(await ensureDatabase(postgres, owner), postgres.socketFolder);
await migrate(
  migratorConfig({
    ...{ LATCHKEY_HOME: mkdtempSync(join(tmpdir(), "latchkey-bench-")), LOG_LEVEL: "warn", DATABASE_URL },
    OTP_PROVIDER: JSON.stringify({ providerToUse: "console", template: "{{code}} {{minutes}}" }),
  }),
);
const client = new pg.Client({ connectionString: databaseOf(postgres.superuserUrl, owner.database) });
await client.connect();
const {
  rows: [backend],
} = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
await client.query(readFileSync(join(import.meta.dirname, "row_costs.sql"), "utf8"));
await client.query(
  `insert into "user".account (id, phone, phone_verified_at)
   select private.new_id(), bare_phone(number), now() from generate_series(1, $1) number`,
  [(rounds + 1) * perRound],
);
await client.query(
  `insert into guest select number, (api.create_guest_session(bare_client(number), 'bench')).session_id from generate_series(0, 499) number`,
);

/** Calls a function with each number of a round; resolves with the CPU of a call in microseconds. */
async function measure(name: string, at: number): Promise<number> {
  const before = preciseCpuOf(backend?.pid ?? 0);
  for (let number = at * perRound + 1; number <= (at + 1) * perRound; number += perTransaction)
    await client.query(`select ${name}(number) from generate_series($1::integer, $2::integer) number`, [
      number,
      number + perTransaction - 1,
    ]);
  return ((preciseCpuOf(backend?.pid ?? 0) - before) * 1000) / perRound;
}

// A login needs the code that the send of the same round made.
const names = ["insert_row", "refresh", "wrong_code", "wrong_code_rows"];
names.push("send", "send_rows", "login_by_code", "login_by_code_rows");
const costs = new Map(names.map((name) => [name, [] as number[]]));
for (let at = 0; at <= rounds; at++)
  for (const name of names) {
    const cost = await measure(name, at);
    // The first round warms up.
    if (at > 0) costs.get(name)?.push(cost);
  }
const costOf = (name: string) => median(costs.get(name) ?? []);
for (const name of names)
  console.log(
    `${name.padEnd(20)}${round(costOf(name), 0)} µs, ${round(costOf(name) / costOf("refresh"), 1)} × a refresh, ` +
      `${round(costOf(name) / costOf("insert_row"), 1)} × an insert`,
  );
await client.end();
await postgres.stop();
