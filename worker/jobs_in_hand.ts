import type { WorkerEvents } from "graphile-worker";

/**
 * Follows the events of a queue.
 * @returns a function that returns the ids of the jobs that this worker has fetched and not ended, whether it has started them or not
 */
export function watchJobsInHand(events: WorkerEvents): () => string[] {
  const inHand = new Set<string>();
  events.on("localQueue:getJobs:complete", ({ jobs }) => {
    for (const { id } of jobs) inHand.add(id);
  });
  events.on("localQueue:returnJobs", ({ jobs }) => {
    for (const { id } of jobs) inHand.delete(id);
  });
  events.on("job:complete", ({ job }) => inHand.delete(job.id));
  return () => [...inHand];
}
