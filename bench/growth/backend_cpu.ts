import pg from "pg";
import type { Measured } from "../../testing/api_calls/measured_calls.ts";
import { sessionId } from "../../testing/api_calls/seeded_rows.ts";
import { preciseCpuOf } from "../parts/cpu.ts";
import { median } from "../parts/figures.ts";
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

/** Opens a connection. No commit waits for the disk: only CPU is measured. */
export async function openSide(database: GrowthDatabase, connectionString: string): Promise<Side> {
  const client = new pg.Client({ connectionString, options: "-c synchronous_commit=off" });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return { database, client, pid: rows[0]?.pid ?? 0 };
}

/**
 * Reads one random session by its primary key, without any function: the minimum cost of a rule about one row. In the
 * grown database its pages are in memory but in none of the processor's caches. Only a superuser may read the table.
 */
export const oneRow: Measured = {
  name: "one row by its primary key",
  text: 'select s.role as answer from "user".session s where s.id = $1',
  args: ["id"],
  calls: ({ picker }, count) =>
    Promise.resolve(Array.from({ length: count }, () => ({ id: sessionId(picker.session()) }))),
  succeeds: (answer) => typeof answer === "string",
  atMost: 1_000,
};

/** CPU milliseconds of the backend per call, over one block of sequential calls. */
async function measureBlock({ database, client, pid }: Side, measured: Measured, count: number): Promise<number> {
  const { name, text, args, calls, succeeds } = measured;
  let before = 0;
  for (const [index, call] of (await calls(database, warmUpCalls + count)).entries()) {
    if (index === warmUpCalls) before = preciseCpuOf(pid);
    const values = args.map((arg) => call[arg]);
    const { rows } = await client.query<{ answer: unknown }>({ name, text, values });
    if (!succeeds(rows[0]?.answer)) throw new Error(`${name} in ${database.name}: ${JSON.stringify(rows[0]?.answer)}`);
  }
  const used = preciseCpuOf(pid) - before;
  const { rows } = await database.superuser.query("delete from graphile_worker._private_jobs returning id");
  // The result of request_password_reset does not show whether an SMS was queued. No worker runs, so each block removes
  // its jobs.
  if (name === "request_password_reset" && rows.length !== warmUpCalls + count)
    throw new Error(`${name} in ${database.name} queued ${rows.length} jobs`);
  return used / count;
}

/**
 * Measures blocks of calls in both databases until each has used `cpuMs` milliseconds of CPU, and returns the medians.
 * The databases take turns, because other load on the machine changes the CPU time of a call. Calls leave rows behind:
 * negligible in the large database, but most of the rows in the empty one, which is seeded again before each block.
 */
export async function compareSides(measured: Measured, empty: Side, grown: Side, cpuMs: number) {
  const measure = async (side: Side, calls: number) => {
    await empty.database.seed();
    return measureBlock(side, measured, calls);
  };
  const count = Math.min(measured.atMost, Math.max(20, Math.round(blockMs / (await measure(grown, 20)))));
  const costs: [number[], number[]] = [[], []];
  const used = (block: number[]) => block.reduce((sum, cost) => sum + cost * count, 0);
  while (costs[0].length < minBlocks || Math.min(...costs.map(used)) < cpuMs) {
    costs[0].push(await measure(empty, count));
    costs[1].push(await measure(grown, count));
  }
  return { few: median(costs[0]), many: median(costs[1]), blocks: costs[0].length, count };
}
