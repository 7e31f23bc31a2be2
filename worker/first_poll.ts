import type { WorkerEvents } from "graphile-worker";

/**
 * Resolves once the queue was looked at, and rejects if that failed. To be called before the queue runs.
 * The queue keeps what its first look learns of the tasks, and keeps a failure too: a worker whose database went away
 * at that moment would repeat it for ever and never take a job. So a start that meets one is no start.
 */
export function waitForFirstPoll(events: WorkerEvents): Promise<void> {
  return new Promise((resolve, reject) => {
    events.once("worker:getJob:empty", () => resolve());
    events.once("job:start", () => resolve());
    events.once("worker:getJob:error", ({ error }) => reject(error as Error));
  });
}
