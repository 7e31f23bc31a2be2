import { Logger, type WorkerEvents } from "graphile-worker";
import type { Log } from "../runtime/log.ts";

/** Part of graphile-worker's warning that more jobs run than there are connections. It does not apply: our jobs hold no connection while they wait for a vendor. */
const fewConnections = "maxPoolSize";

/**
 * Resolves once the queue has looked for jobs, and rejects if that failed. Call it before the queue runs, and give the queue the
 * logger.
 *
 * graphile-worker caches the result of its first look-up of the tasks, and caches a failure too: a worker that lost its
 * database at that moment would never take a job. A start whose first poll fails must therefore fail. It reports such a failure
 * only through its logger.
 */
export function watchFirstPoll(
  events: WorkerEvents,
  log: Log,
): { firstPoll: Promise<undefined>; logger: Logger } {
  const { promise: firstPoll, resolve, reject } = Promise.withResolvers<undefined>();
  events.once("localQueue:getJobs:complete", () => resolve(undefined));
  // Its info lines become debug: they are about its own pool, and the tasks log their own results.
  const logger = new Logger(() => (level, message, meta) => {
    if (level === "error") {
      log.error({ queue: message }, "graphile-worker reports an error");
      reject(meta.error instanceof Error ? meta.error : new Error(message));
    } else if (level === "warning" && !message.includes(fewConnections))
      log.warn({ queue: message }, "graphile-worker warns");
    else log.debug({ queue: message }, "graphile-worker");
  });
  return { firstPoll, logger };
}
