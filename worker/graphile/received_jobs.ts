import type { WorkerEvents } from "graphile-worker";

/** A job and the number of its attempt: each fetch is a new attempt. */
export interface Attempt {
  id: string;
  attempts: number;
}

/** Longer than jobs_locked_for's grace period and the time-out of a statement together. */
const keepMs = 60_000;
const keyOf = ({ id, attempts }: Attempt) => `${id} ${attempts}`;

/**
 * Records the attempts that a queue receives, by its events. An attempt that has ended counts until PostgreSQL has
 * unlocked its job: the queue does not wait for the completion of a job, and retries it if the connection is lost. Goes
 * with the lost jobs of liveness.ts.
 * @returns a function that, of all attempts that have been locked for this worker for 20 seconds, returns those it never received
 */
export function watchReceivedJobs(events: WorkerEvents): (locked: Attempt[]) => Attempt[] {
  /** When each attempt ended. */
  const received = new Map<string, number | undefined>();
  const end = (job: Attempt) => received.set(keyOf(job), performance.now());
  events.on("localQueue:getJobs:complete", ({ jobs }) => {
    for (const job of jobs) received.set(keyOf(job), undefined);
  });
  events.on("localQueue:returnJobs", ({ jobs }) => jobs.forEach(end));
  events.on("job:complete", ({ job }) => void end(job));

  return (locked) => {
    const lockedKeys = new Set(locked.map(keyOf));
    const before = performance.now() - keepMs;
    for (const [key, endedAt] of received)
      if (endedAt !== undefined && endedAt < before && !lockedKeys.has(key)) received.delete(key);
    return locked.filter((job) => !received.has(keyOf(job)));
  };
}
