import pg from "pg";
import { api, startupFunctions } from "../../server/database/api_functions.ts";
import { toStatements } from "../../server/database/api_statements.ts";
import { preciseCpuOf } from "../cpu.ts";
import { median } from "../figures.ts";
import { cases, type FunctionName } from "./growth_cases.ts";
import type { GrowthDatabase } from "./growth_cluster.ts";

/** Calls until PostgreSQL uses a generic plan for a prepared statement; reseeding invalidates the plans. */
const warmUpCalls = 20;
const blockMs = 100;
const minBlocks = 7;

export interface Side {
  database: GrowthDatabase;
  client: pg.Client;
  pid: number;
}

/** Opens a connection like the server's, but no commit waits for the disk: only CPU is measured. */
export async function openSide(database: GrowthDatabase): Promise<Side> {
  const client = new pg.Client({
    connectionString: database.serverUrl,
    options: "-c synchronous_commit=off",
  });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return { database, client, pid: rows[0]?.pid ?? 0 };
}

async function jobsIn({ superuser }: GrowthDatabase): Promise<number> {
  const { rows } = await superuser.query<{ count: string }>(
    "select count(*) from graphile_worker._private_jobs",
  );
  return Number(rows[0]?.count);
}

/** Returns the server's statement: the startup checks read a function's result directly, all other calls read JSON. */
function statementOf(name: FunctionName): { text: string; args: string[] } {
  const args =
    name in startupFunctions
      ? startupFunctions[name as keyof typeof startupFunctions]
      : api[name as keyof typeof api].args;
  const { call } = toStatements(name, args);
  return {
    text: name in startupFunctions ? call.replace(/row_to_json\((.*)\) as/, "$1 as") : call,
    args: Object.keys(args),
  };
}

/** CPU milliseconds of the backend per call, over one block of sequential calls. */
async function measureBlock({ database, client, pid }: Side, name: FunctionName, count: number) {
  // Calls leave rows behind: negligible in the large database, but most of the rows in the empty one.
  if (database.name === "empty") await database.seed();
  // No worker runs: without this, jobs would accumulate in the large database only.
  else await database.superuser.query("truncate graphile_worker._private_jobs");
  const { calls, succeeds } = cases[name];
  const { text, args } = statementOf(name);
  const jobsBefore = await jobsIn(database);
  let before = 0;
  for (const [index, call] of (await calls(database, warmUpCalls + count)).entries()) {
    if (index === warmUpCalls) before = preciseCpuOf(pid);
    const values = args.map((arg) => call[arg]);
    const { rows } = await client.query<{ answer: unknown }>({ name, text, values });
    if (!succeeds(rows[0]?.answer))
      throw new Error(`${name} in ${database.name}: ${JSON.stringify(rows[0]?.answer)}`);
  }
  const used = preciseCpuOf(pid) - before;
  // The result of request_password_reset does not show whether an SMS was queued.
  const queued = (await jobsIn(database)) - jobsBefore;
  if (name === "request_password_reset" && queued !== warmUpCalls + count)
    throw new Error(`${name} in ${database.name} queued ${queued} jobs`);
  return used / count;
}

/**
 * Measures blocks of calls in both databases until each has used `cpuMs` milliseconds of CPU, and returns the medians. The
 * databases take turns, because other load on the machine changes the CPU time of a call.
 */
export async function compare(name: FunctionName, sides: [Side, Side], cpuMs: number) {
  const { atMost } = cases[name];
  const first = await measureBlock(sides[1], name, 20);
  const count = Math.min(atMost, Math.max(20, Math.round(blockMs / first)));
  const costs: [number[], number[]] = [[], []];
  const used = [0, 0];
  while (costs[0].length < minBlocks || Math.min(...used) < cpuMs) {
    for (const which of costs[0].length % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const cost = await measureBlock(sides[which], name, count);
      costs[which].push(cost);
      used[which] = (used[which] ?? 0) + cost * count;
    }
  }
  const [empty, grown] = [median(costs[0]), median(costs[1])];
  return { empty, grown, ratio: grown / empty, blocks: costs[0].length, count };
}
