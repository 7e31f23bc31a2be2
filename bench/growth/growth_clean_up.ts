import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { median, quantile, round } from "../parts/figures.ts";
import type { GrowthDatabase } from "./growth_cluster.ts";
import { shortCalls, startLoad, type Calls } from "./growth_load.ts";

interface Progress {
  step: number | null;
  page: string | null;
}

/** A call of the clean-up: one slice of one table. */
export interface Slice {
  step: number;
  ms: number;
}

export interface CleanUp {
  /** Runs slices one after another, like the worker's task, until the time is over or all tables are done. */
  run: (seconds: number) => Promise<Slice[]>;
  isDone: () => boolean;
  stop: () => Promise<void>;
}

/** Starts a clean-up that can be interrupted between two slices. */
export async function openCleanUp({ workerUrl }: GrowthDatabase): Promise<CleanUp> {
  const client = new pg.Client({ connectionString: workerUrl });
  client.on("error", () => undefined);
  await client.connect();
  let progress: Progress = { step: 1, page: "0" };
  return {
    async run(seconds) {
      const slices: Slice[] = [];
      const end = performance.now() + seconds * 1_000;
      while (progress.step !== null && performance.now() < end) {
        const { step, page } = progress;
        const started = performance.now();
        const { rows } = await client.query<Progress>(
          "select * from delivery.clean_up(step => $1::integer, page => $2::bigint)",
          [step, page],
        );
        progress = rows[0] ?? { step: null, page: null };
        // The last call reads no table.
        if (progress.step !== null) slices.push({ step, ms: performance.now() - started });
      }
      return slices;
    },
    isDone: () => progress.step === null,
    stop: () => client.end(),
  };
}

/** Counts the expired rows in the seeded tables. */
export async function countExpiredRows({ superuser }: GrowthDatabase): Promise<number> {
  const { rows } = await superuser.query<{ count: string }>(
    `select (select count(*) from "user".session where refresh_token_expires_at < now() - interval '7 days' and revoked_at is null)
       + (select count(*) from platform.otp_transaction where created_at < now() - interval '30 days')
       + (select count(*) from platform.delivery_attempt where started_at < now() - interval '30 days')
       + (select count(*) from private.known_client where logged_in_at < now() - interval '30 days')
       + (select count(*) from private.guess_count where first_guess_at < now() - interval '1 hour')
       + (select count(*) from private.pending_registration where registered_at < now() - interval '30 days')
       + (select count(*) from private.verification_state where failed_at < now() - interval '30 days')
       + (select count(*) from platform.rate_limit where hits[cardinality(hits)] < now() - interval '1 day') as count`,
  );
  return Number(rows[0]?.count);
}

export function formatCalls({ durations, errors }: Calls): string {
  const kinds = [...new Set(errors)].slice(0, 5).join("; ");
  return (
    `p50 ${round(median(durations))} ms, p99 ${round(quantile(durations, 0.99))} ms, longest ${round(Math.max(...durations))} ms, ` +
    `${errors.length} errors of ${durations.length}${kinds && ` (${kinds})`}`
  );
}

/** Prints the latency of short calls with and without the clean-up, and the duration of the clean-up's calls. */
export async function measureCleanUp(database: GrowthDatabase, seconds: number): Promise<void> {
  const before = await countExpiredRows(database);
  const load = await startLoad(database, shortCalls(database));
  const cleanUp = await openCleanUp(database);
  try {
    await delay(3_000);
    load.collect();
    await delay(seconds * 1_000);
    const alone = load.collect();
    const started = performance.now();
    const calls = await cleanUp.run(Infinity);
    const took = (performance.now() - started) / 1_000;
    const during = load.collect();

    console.log(`short calls alone              ${formatCalls(alone)}`);
    console.log(`during the clean-up            ${formatCalls(during)}`);
    const ratio = (share: number) => quantile(during.durations, share) / quantile(alone.durations, share);
    const met = ratio(0.99) <= 2 && alone.errors.length + during.errors.length === 0;
    console.log(
      `                               p50 ${round(ratio(0.5))} ×, p99 ${round(ratio(0.99))} × (target 2, and 0 errors: ${met ? "met" : "MISSED"})`,
    );
    const [longest] = calls.toSorted((a, b) => b.ms - a.ms);
    console.log(
      `clean-up                       ${calls.length} calls in ${round(took, 1)} s, p50 ${round(median(calls.map(({ ms }) => ms)), 1)} ms, ` +
        `longest ${round(longest?.ms ?? NaN, 1)} ms (step ${longest?.step}); ${before} old rows, ${await countExpiredRows(database)} left`,
    );
  } finally {
    await cleanUp.stop();
    await load.stop();
  }
}
