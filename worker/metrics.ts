import type { Metrics } from "../runtime/metrics.ts";
import { measurePools, type PoolState } from "../runtime/database/pool_metrics.ts";
import type { AttemptResult, Message } from "./message.ts";
import type { ObserveJob } from "./tasks/observed_tasks.ts";

export interface WorkerMetrics {
  onAttempt: (message: Message, result: AttemptResult, durationMs: number) => void;
  onJob: ObserveJob;
  /** Adds the gauges of what has been opened. */
  measure: (sources: { pool: () => PoolState; configured: string[]; unavailable: () => string[] }) => void;
}

const vendorSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30];
const jobSeconds = [0.05, 0.25, 1, 4, 15, 60, 300];

/** Registers the metrics of a worker. */
export function createWorkerMetrics(metrics: Metrics): WorkerMetrics {
  const attempts = metrics.counter({
    name: "latchkey_messages_total",
    help: "Messages that were passed to a vendor, by what came of it. A message with two attempts counts twice.",
    labels: ["provider", "channel", "outcome"],
  });
  const countries = metrics.counter({
    name: "latchkey_messages_by_country_total",
    help: "The same, by the country of the phone (none: an email, or a notice).",
    labels: ["country", "outcome"],
  });
  const vendorTime = metrics.histogram({
    name: "latchkey_vendor_duration_seconds",
    help: "Time that a vendor took to answer.",
    labels: ["provider"],
    buckets: vendorSeconds,
  });
  const jobTime = metrics.histogram({
    name: "latchkey_job_duration_seconds",
    help: "Time of a job, by task and result.",
    labels: ["task", "result"],
    buckets: jobSeconds,
  });

  return {
    onAttempt({ provider, channel, country }, { outcome }, durationMs) {
      attempts([provider, channel, outcome]);
      countries([country ?? "none", outcome]);
      vendorTime([provider], durationMs / 1_000);
    },
    onJob: (task, result, ms) => jobTime([task, result], ms / 1_000),
    measure({ pool, configured, unavailable }) {
      measurePools(metrics, () => [pool()]);
      metrics.gauge(
        {
          name: "latchkey_provider_paused",
          help: "1: this worker avoids the provider, which keeps failing or asked for a pause.",
          labels: ["provider"],
        },
        () => {
          const paused = unavailable();
          return configured.map((name) => [[name], paused.includes(name) ? 1 : 0] as const);
        },
      );
    },
  };
}
