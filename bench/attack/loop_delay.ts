import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/**
 * Preloaded into the measured server (`--import`): appends the longest event-loop delay of each second, in
 * milliseconds, to the file that BENCH_LOOP_DELAY_FILE names. A stall shows in the second in which it ends.
 */
const file = process.env.BENCH_LOOP_DELAY_FILE;
const resolution = 10;
if (file !== undefined && isMainThread) {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  setInterval(() => {
    appendFileSync(file, `${histogram.max / 1e6 - resolution}\n`);
    histogram.reset();
  }, 1_000).unref();
}
