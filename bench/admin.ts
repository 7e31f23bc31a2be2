import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migratorConfig, serverConfig } from "../config/config.ts";
import { migrate } from "../db/migrate.ts";
import { ensureDatabase, startThrowaway, viaSocket } from "../embedded/index.ts";
import { createLog } from "../runtime/log.ts";
import { startServer } from "../server/server.ts";
import { adminRequests, seedAccounts } from "../testing/admin_scale.ts";
import { databaseOf } from "../testing/urls.ts";
import { median, round } from "./figures.ts";

/**
 * npm run bench:admin: how long each query of the operator console takes over HTTP, with ACCOUNTS accounts and a row of each in every
 * other table. Needs some minutes and 3 GB in the temporary folder.
 */
const accounts = Number(process.env.ACCOUNTS ?? 1_000_000);
/** 28,800 messages a day. */
const secondsApart = 3;
const runs = 20;
const targetMs = 100;
/** The cost of these depends on the messages of the period, not on the number of accounts. */
const byPeriod: Record<string, number> = { vendorsByHour: 1_000, whatIf: 1_000 };

const home = mkdtempSync(join(tmpdir(), "latchkey-admin-"));
const postgres = await startThrowaway({ settings: { shared_buffers: "1GB", max_wal_size: "4GB" } });
try {
  const owner = { role: "latchkey_migrator", password: "bench", database: "admin" };
  const DATABASE_URL = viaSocket(await ensureDatabase(postgres, owner), postgres.socketFolder);
  const env = {
    ...{
      LATCHKEY_HOME: home,
      LOG_LEVEL: "warn",
      DATABASE_URL,
      PORT: "0",
      HOST: "127.0.0.1",
      GRAPHQL_BUDGET_MS: "1000",
    },
  };
  await migrate(migratorConfig(env));
  const superuser = new pg.Client({
    connectionString: viaSocket(databaseOf(postgres.superuserUrl, "admin"), postgres.socketFolder),
  });
  await superuser.connect();
  await superuser.query(seedAccounts(accounts, secondsApart));
  await superuser.query("vacuum analyze");
  const found = await superuser.query<{ id: string; phone: string; session: string }>(
    `select a.id, a.phone, s.id as session from "user".account a join "user".session s on s.user_id = a.id
     where a.email = $1`,
    [`person${Math.floor(accounts / 2)}@example.org`],
  );
  await superuser.end();
  const config = serverConfig(env);
  const server = await startServer(config, createLog("bench", "fatal"));
  const [account] = found.rows;
  if (!account) throw new Error("The seed has no such account.");

  async function measure(text: string, variables: object): Promise<number> {
    const started = performance.now();
    const response = await fetch(`${server.url}/v1/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-admin-secret": config.ADMIN_SECRET },
      body: JSON.stringify({ query: text, variables }),
    });
    const answer = (await response.json()) as { errors?: { message: string }[] };
    if (answer.errors) throw new Error(answer.errors[0]?.message);
    return performance.now() - started;
  }

  console.log(`${accounts} accounts; first (plans the document) and median of ${runs}, milliseconds`);
  for (const { name, text, variables } of adminRequests(account)) {
    const first = await measure(text, variables);
    const times: number[] = [];
    for (let run = 0; run < runs; run++) times.push(await measure(text, variables));
    const middle = median(times);
    console.log(
      `${name.padEnd(30)} ${String(round(first, 0)).padStart(5)} ${String(round(middle, 1)).padStart(7)}  ${middle <= (byPeriod[name] ?? targetMs) ? "met" : "MISSED"}`,
    );
  }
  await server.stop();
} finally {
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}
