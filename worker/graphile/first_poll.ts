import { Logger, type WorkerEvents } from "graphile-worker";
import type { Log } from "../../runtime/log.ts";

/**
 * Part of a warning that does not apply: there are more jobs than connections, but ours hold none while they wait for a
 * vendor.
 */
const fewConnections = "maxPoolSize";

/**
 * Resolves after the queue's first poll, and rejects if that fails: graphile-worker caches the failure, and the worker
 * would never take a job. Goes when its local queue polls again after a failure (0.18.0 does not). Call it before the queue runs, and pass the logger to the queue, which reports such a failure
 * only there.
 */
export function watchFirstPoll(events: WorkerEvents, log: Log): { firstPoll: Promise<undefined>; logger: Logger } {
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
