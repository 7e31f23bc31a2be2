import type { WorkerEvents } from "graphile-worker";

/**
 * Resolves once the queue has looked for a job, and rejects if that failed. Call it before the queue runs.
 *
 * graphile-worker caches the result of its first look-up of the tasks, and caches a failure too: a worker that lost its
 * database at that moment would never take a job. A start whose first poll fails must therefore fail.
 */
export function waitForFirstPoll(events: WorkerEvents): Promise<void> {
  return new Promise((resolve, reject) => {
    events.once("worker:getJob:empty", () => resolve());
    events.once("job:start", () => resolve());
    events.once("worker:getJob:error", ({ error }) => reject(error as Error));
  });
}
