import { randomUUID } from "node:crypto";
import { Logger, parseCronItems } from "graphile-worker";
import type { WorkerConfig } from "../config/config.ts";
import type { Log } from "../runtime/log.ts";
import { openPool, requireOwnBackend } from "../runtime/pool.ts";
import { checkConnections, checkDatabase } from "../db/startup_checks.ts";
import { createDelivery } from "./delivery.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { createProviderCheck } from "./provider_check.ts";
import { startQueue } from "./queue.ts";
import { ReconnectingPool } from "./reconnecting_pool.ts";
import { createProviders } from "./sms/providers.ts";
import { cleanUp } from "./tasks/clean_up.ts";
import { sendOtp } from "./tasks/send_otp.ts";

/** How long SMS in flight may go on once the worker stops: less than a process has to end in (runtime/signals.ts). */
const drainMs = 1_500;

export interface RunningWorker {
  stop: () => Promise<void>;
}

/** Works on the queue until stopped, through restarts of PostgreSQL too. Sessions are needed (LISTEN, advisory locks), so it takes the direct address. */
export async function startWorker(config: WorkerConfig, log: Log): Promise<RunningWorker> {
  const pool = openPool(
    { connectionString: config.directUrl, application_name: "latchkey worker", max: config.WORKER_POOL_SIZE },
    log,
    (options) => new ReconnectingPool(options, log),
  );

  try {
    const delivery = createDelivery(pool);
    const client = await pool.connect();
    await requireOwnBackend(client, "WORKER_DATABASE_DIRECT_URL").finally(() => client.release());
    const query = pool.query.bind(pool);
    await checkDatabase({ query, schema: "delivery", log, config });
    // One more shows that the worker lives.
    await checkConnections({ query, connections: config.WORKER_POOL_SIZE + 1, log });
    const providers = createProviders(config);
    const providerCheck = createProviderCheck({ delivery, providers, log });
    const queue = await startQueue({
      url: config.directUrl,
      log,
      runner: {
        pgPool: pool,
        noHandleSignals: true,
        // Jobs mostly wait for the vendor; the library wants a connection for each.
        concurrency: config.WORKER_POOL_SIZE,
        gracefulShutdownAbortTimeout: drainMs,
        logger: quietLogger(log),
        taskList: {
          send_otp: sendOtp({ delivery, providers, providerCheck, codeKey: config.codeKey, log }),
          clean_up: cleanUp({ delivery }),
        },
        parsedCronItems: parseCronItems([{ task: "clean_up", match: "17 * * * *", identifier: "clean_up" }]),
      },
    });
    pool.enableRetries();
    const heartbeat = startHeartbeat({ worker: randomUUID(), delivery, providerCheck, log });
    return {
      async stop() {
        pool.disableRetries();
        await queue.stop();
        await heartbeat.stop();
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** The library's own lines are about its pool; what matters to us the tasks log themselves. */
function quietLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === "error") log.error({ queue: message }, "the queue reports an error");
    else if (level === "warning") log.warn({ queue: message }, "the queue warns");
    else log.debug({ queue: message }, "queue");
  });
}
