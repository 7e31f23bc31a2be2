import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { median, quantile, round } from "../parts/figures.ts";
import type { GrowthDatabase } from "./growth_cluster.ts";
import { callsOf } from "../../testing/api_calls/measured_calls.ts";

/** Between two calls: 50 calls per second. */
const intervalMs = 20;
const shortCalls = (["create_guest_session", "refresh_session", "send_otp", "authorize"] as const).map(callsOf);

interface Progress {
  step: number | null;
  page: string | null;
}

/** Runs the clean-up as the worker's task does. Returns the duration of each of its calls. */
async function cleanUp({ workerUrl }: GrowthDatabase): Promise<number[]> {
  const client = new pg.Client({ connectionString: workerUrl });
  await client.connect();
  const durations: number[] = [];
  for (let next: Progress = { step: 1, page: "0" }; next.step !== null;) {
    const started = performance.now();
    const { rows } = await client.query<Progress>(
      "select * from delivery.clean_up(step => $1::integer, page => $2::bigint)",
      [next.step, next.page],
    );
    next = rows[0] ?? { step: null, page: null };
    durations.push(performance.now() - started);
  }
  await client.end();
  return durations;
}

/**
 * Makes short calls until the work has ended, each at its own time and not after the previous result, so that every
 * call during a stall is measured. Returns the durations in milliseconds.
 */
async function measureBeside(database: GrowthDatabase, pool: pg.Pool, work: Promise<unknown>): Promise<number[]> {
  const state = { isDone: false };
  const done = work.then(() => (state.isDone = true));
  const durations: number[] = [];
  const running: Promise<unknown>[] = [];
  const began = performance.now();
  for (let index = 0; !state.isDone; index++) {
    const due = began + index * intervalMs;
    await Promise.race([done, delay(Math.max(0, due - performance.now()))]);
    const short = shortCalls[index % shortCalls.length];
    const [call = {}] = (await short?.calls(database, 1)) ?? [];
    if (!short) break;
    const { name, text, args, succeeds } = short;
    const values = args.map((arg) => call[arg]);
    running.push(
      pool.query<{ answer: unknown }>({ name, text, values }).then(({ rows }) => {
        durations.push(performance.now() - due);
        if (!succeeds(rows[0]?.answer)) throw new Error(`${name}: ${JSON.stringify(rows[0]?.answer)}`);
      }),
    );
  }
  await Promise.all(running);
  return durations;
}

const describe = (durations: number[]) =>
  `p50 ${round(median(durations))} ms, p99 ${round(quantile(durations, 0.99))} ms, longest ${round(quantile(durations, 1))} ms`;

/** Prints the latency of short calls with and without the clean-up, and the duration of the clean-up's calls. */
export async function measureCleanUp(database: GrowthDatabase, seconds: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: database.serverUrl, max: 10 });
  await measureBeside(database, pool, delay(3_000));
  const alone = await measureBeside(database, pool, delay(seconds * 1_000));
  const started = performance.now();
  const cleaning = cleanUp(database);
  const during = await measureBeside(database, pool, cleaning);
  const slices = await cleaning;
  const took = (performance.now() - started) / 1_000;
  await pool.end();
  const ratio = quantile(during, 0.99) / quantile(alone, 0.99);
  console.log(`short calls alone:   ${describe(alone)}`);
  console.log(
    `beside the clean-up: ${describe(during)}; p99 ${round(ratio)} × (target 2: ${ratio <= 2 ? "met" : "MISSED"})`,
  );
  console.log(`clean-up: ${round(took, 1)} s, ${slices.length} slices, ${describe(slices)}`);
}
