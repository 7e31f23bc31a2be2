import type { Task } from "graphile-worker";
import type { Log } from "../../runtime/log.ts";
import type { Traces } from "../../runtime/traces.ts";
import { idsOf } from "./send_otp.ts";

/** Called with each job that has ended. */
export type ObserveJob = (task: string, result: "done" | "failed", ms: number) => void;

/** Gives each job its line in the log, with the ids of the request that caused it, and its place in the metrics. */
export function observedTasks(
  tasks: Record<string, Task>,
  { log, onJob, traces }: { log: Log; onJob: ObserveJob | undefined; traces: Traces | undefined },
): Record<string, Task> {
  const observed = (task: string, run: Task): Task => {
    return async (payload, helpers) => {
      const startedAt = performance.now();
      const { traceparent } = (payload ?? {}) as { traceparent?: string };
      const span = traces?.begin({
        name: `process ${task}`,
        kind: "consumer",
        parent: traceparent,
        attributes: {
          "messaging.system": "graphile_worker",
          "messaging.destination.name": task,
          "messaging.operation.name": "process",
          "messaging.operation.type": "process",
        },
      });
      const end = (result: "done" | "failed") => {
        const ms = performance.now() - startedAt;
        onJob?.(task, result, ms);
        span?.end({ error: result === "failed" ? "job_failed" : undefined });
        const { id: jobId, attempts } = helpers.job;
        // Why one failed is a line of the queue, which runs it again.
        log[result === "done" ? "info" : "warn"](
          { jobId, task, attempts, ...idsOf(payload), traceId: span?.traceId, result, ms: Math.round(ms * 100) / 100 },
          "job",
        );
      };
      try {
        await run(span ? { ...(payload as object), traceparent: span.traceparent } : payload, helpers);
      } catch (error) {
        end("failed");
        throw error;
      }
      end("done");
    };
  };
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, observed(name, task)]));
}
