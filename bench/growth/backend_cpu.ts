import pg from "pg";
import { preciseCpuOf } from "../parts/cpu.ts";
import { median } from "../parts/figures.ts";
import type { Measured } from "./measured_calls.ts";
import type { GrowthDatabase } from "./growth_cluster.ts";
import { sessionId } from "./rows.ts";

/** Calls until PostgreSQL uses a generic plan for a prepared statement; reseeding invalidates the plans. */
const warmUpCalls = 20;
const blockMs = 100;
const minBlocks = 7;

export interface Side {
  database: GrowthDatabase;
  client: pg.Client;
  pid: number;
  /** Runs before each block. */
  prepare: () => Promise<void>;
}

interface Both {
  empty: GrowthDatabase;
  grown: GrowthDatabase;
}

/** Opens a connection to each database. No commit waits for the disk: only CPU is measured. */
export async function openSides(
  both: Both,
  url: (database: GrowthDatabase) => string,
): Promise<[Side, Side]> {
  /**
   * Calls leave rows behind: negligible in the large database, but most of the rows in the empty one, which is seeded again. Before
   * the blocks of both: short calls are a third faster on a busy processor than on one that was idle.
   */
  async function prepare(): Promise<void> {
    // No worker runs: without this, jobs would accumulate.
    await both.grown.superuser.query("truncate graphile_worker._private_jobs");
    await both.empty.seed();
  }
  const open = async (database: GrowthDatabase): Promise<Side> => {
    const client = new pg.Client({
      connectionString: url(database),
      options: "-c synchronous_commit=off",
    });
    client.on("error", () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    return { database, client, pid: rows[0]?.pid ?? 0, prepare };
  };
  return [await open(both.empty), await open(both.grown)];
}

async function jobsIn({ superuser }: GrowthDatabase): Promise<number> {
  const { rows } = await superuser.query<{ count: string }>(
    "select count(*) from graphile_worker._private_jobs",
  );
  return Number(rows[0]?.count);
}

/**
 * Reads one random session by its primary key, without any function: the minimum cost of a rule about one row. In the grown
 * database its pages are in memory but in none of the processor's caches. Only a superuser may read the table.
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
async function measureBlock({ database, client, pid, prepare }: Side, measured: Measured, count: number) {
  const { name, text, args, calls, succeeds } = measured;
  await prepare();
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
export async function compare(measured: Measured, sides: [Side, Side], cpuMs: number) {
  const { atMost } = measured;
  const first = await measureBlock(sides[1], measured, 20);
  const count = Math.min(atMost, Math.max(20, Math.round(blockMs / first)));
  const costs: [number[], number[]] = [[], []];
  const used = [0, 0];
  while (costs[0].length < minBlocks || Math.min(...used) < cpuMs) {
    for (const which of costs[0].length % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const cost = await measureBlock(sides[which], measured, count);
      costs[which].push(cost);
      used[which] = (used[which] ?? 0) + cost * count;
    }
  }
  const [empty, grown] = [median(costs[0]), median(costs[1])];
  return { empty, grown, ratio: grown / empty, blocks: costs[0].length, count };
}
