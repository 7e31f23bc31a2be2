import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { median, quantile, round } from "../figures.ts";
import type { GrowthDatabase } from "./cluster.ts";
import { startLoad, type Load } from "./load.ts";

interface Progress {
  step: number | null;
  page: string | null;
}

/** Cleans up as the worker's task does, slice after slice. Result: milliseconds of each call. */
async function cleanUp({ workerUrl }: GrowthDatabase): Promise<{ step: number; ms: number }[]> {
  const client = new pg.Client({ connectionString: workerUrl });
  client.on("error", () => undefined);
  await client.connect();
  const calls: { step: number; ms: number }[] = [];
  try {
    let progress: Progress | undefined = { step: 1, page: "0" };
    while (progress && progress.step !== null) {
      const { step, page }: Progress = progress;
      const started = performance.now();
      const { rows }: pg.QueryResult<Progress> = await client.query<Progress>(
        "select * from delivery.clean_up(step => $1::integer, page => $2::bigint)",
        [step, page],
      );
      calls.push({ step, ms: performance.now() - started });
      progress = rows[0];
    }
  } finally {
    await client.end();
  }
  return calls;
}

/** How many rows wait to be deleted, of the tables that are seeded with such. */
async function oldRows({ superuser }: GrowthDatabase): Promise<number> {
  const { rows } = await superuser.query<{ count: string }>(
    `select (select count(*) from "user".session where refresh_token_expires_at < now() - interval '7 days' and revoked_at is null)
       + (select count(*) from platform.otp_transaction where created_at < now() - interval '30 days')
       + (select count(*) from private.known_client where logged_in_at < now() - interval '30 days')
       + (select count(*) from platform.rate_limit where hits[cardinality(hits)] < now() - interval '1 day') as count`,
  );
  return Number(rows[0]?.count);
}

function inWords({ taken, errors }: ReturnType<Load["collect"]>): string {
  const kinds = [...new Set(errors)].slice(0, 5).join("; ");
  return (
    `p50 ${round(median(taken))} ms, p99 ${round(quantile(taken, 0.99))} ms, longest ${round(Math.max(...taken))} ms, ` +
    `${errors.length} errors of ${taken.length}${kinds && ` (${kinds})`}`
  );
}

/** Prints what short calls take alone and beside the clean-up, and what the clean-up's own calls take. */
export async function measureCleanUp(database: GrowthDatabase, seconds: number): Promise<void> {
  const before = await oldRows(database);
  const load = await startLoad(database);
  try {
    await delay(3_000);
    load.collect();
    await delay(seconds * 1_000);
    const alone = load.collect();
    const started = performance.now();
    const calls = await cleanUp(database);
    const took = (performance.now() - started) / 1_000;
    const beside = load.collect();

    console.log(`short calls alone              ${inWords(alone)}`);
    console.log(`beside the clean-up            ${inWords(beside)}`);
    const ratio = (share: number) => quantile(beside.taken, share) / quantile(alone.taken, share);
    const met = ratio(0.99) <= 2 && alone.errors.length + beside.errors.length === 0;
    console.log(
      `                               p50 ${round(ratio(0.5))} ×, p99 ${round(ratio(0.99))} × (target 2, and 0 errors: ${met ? "met" : "MISSED"})`,
    );
    const [longest] = calls.toSorted((a, b) => b.ms - a.ms);
    console.log(
      `clean-up                       ${calls.length} calls in ${round(took, 1)} s, p50 ${round(median(calls.map(({ ms }) => ms)), 1)} ms, ` +
        `longest ${round(longest?.ms ?? NaN, 1)} ms (step ${longest?.step}); ${before} old rows, ${await oldRows(database)} left`,
    );
  } finally {
    await load.stop();
  }
}
