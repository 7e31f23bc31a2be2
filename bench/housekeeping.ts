import { setTimeout as delay } from "node:timers/promises";
import { median, quantile, round } from "./figures.ts";
import { countExpiredRows, formatCalls, openCleanUp, type Slice } from "./growth/growth_clean_up.ts";
import { startCluster } from "./growth/growth_cluster.ts";
import { signInsAndSends, startLoad, type Calls } from "./growth/growth_load.ts";
import { oldPerAccount, perAccount } from "./growth/rows.ts";

/**
 * npm run bench:housekeeping: what the clean-up costs the calls beside it. ROWS one-time passwords with an attempt each, ROWS
 * sessions and many limits are expired, and half as many more are live. PER_SECOND sign-ins and sends run all the time, and the
 * clean-up in every other window of SECONDS seconds, until it is done. LATCHKEY_POSTGRES_BIN selects another PostgreSQL.
 */
const rows = Number(process.env.ROWS ?? 1_000_000);
const seconds = Number(process.env.SECONDS ?? 10);
const perSecond = Number(process.env.PER_SECOND ?? 50);

const noCalls = (): Calls => ({ durations: [], errors: [] });
function add(sum: Calls, { durations, errors }: Calls): void {
  sum.durations.push(...durations);
  sum.errors.push(...errors);
}

const cluster = await startCluster({ empty: 1, grown: Math.ceil(rows / oldPerAccount) });
const { grown } = cluster;
try {
  await grown.seed();
  const before = await countExpiredRows(grown);
  console.log(
    `${before} expired rows beside ${grown.accounts * (perAccount - oldPerAccount)} live sessions and as many live one-time passwords`,
  );
  const load = await startLoad(grown, signInsAndSends(grown), 1_000 / perSecond);
  const cleanUp = await openCleanUp(grown);
  const [alone, beside] = [noCalls(), noCalls()];
  const slices: Slice[] = [];
  let cleanUpMs = 0;
  try {
    await delay(3_000);
    load.collect();
    while (!cleanUp.isDone()) {
      await delay(seconds * 1_000);
      add(alone, load.collect());
      const started = performance.now();
      slices.push(...(await cleanUp.run(seconds)));
      cleanUpMs += performance.now() - started;
      add(beside, load.collect());
    }
  } finally {
    await cleanUp.stop();
    await load.stop();
  }

  console.log(`without the clean-up   ${formatCalls(alone)}`);
  console.log(`beside the clean-up    ${formatCalls(beside)}`);
  const ratio = (share: number) =>
    round(quantile(beside.durations, share) / quantile(alone.durations, share));
  console.log(`                       p50 ${ratio(0.5)} ×, p99 ${ratio(0.99)} ×`);
  const left = await countExpiredRows(grown);
  console.log(
    `clean-up               ${before - left} rows in ${round(cleanUpMs / 1_000, 1)} s, ` +
      `${round((before - left) / (cleanUpMs / 1_000), 0)} rows per second; ${left} expired rows left`,
  );
  for (const step of new Set(slices.map((slice) => slice.step))) {
    const durations = slices.filter((slice) => slice.step === step).map(({ ms }) => ms);
    console.log(
      `  step ${step}               ${durations.length} slices, p50 ${round(median(durations), 1)} ms, ` +
        `longest ${round(Math.max(...durations), 1)} ms`,
    );
  }
} finally {
  await cluster.stop();
}
