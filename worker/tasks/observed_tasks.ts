import type { Task } from "graphile-worker";
import type { Log } from "../../runtime/log.ts";
import { idsOf } from "./send_otp.ts";

/** Called with each job that has ended. */
export type ObserveJob = (task: string, result: "done" | "failed", ms: number) => void;

/** Gives each job its line in the log, with the ids of the request that caused it, and its place in the metrics. */
export function observedTasks(
  tasks: Record<string, Task>,
  { log, onJob }: { log: Log; onJob: ObserveJob | undefined },
): Record<string, Task> {
  const observed = (task: string, run: Task): Task => {
    return async (payload, helpers) => {
      const startedAt = performance.now();
      const end = (result: "done" | "failed") => {
        const ms = performance.now() - startedAt;
        onJob?.(task, result, ms);
        const { id: jobId, attempts } = helpers.job;
        // Why one failed is a line of the queue, which runs it again.
        log[result === "done" ? "info" : "warn"](
          { jobId, task, attempts, ...idsOf(payload), result, ms: Math.round(ms * 100) / 100 },
          "job",
        );
      };
      try {
        await run(payload, helpers);
      } catch (error) {
        end("failed");
        throw error;
      }
      end("done");
    };
  };
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, observed(name, task)]));
}
