import { EventEmitter } from "node:events";
import { Logger, parseCronItems, run, type Runner, type WorkerEvents } from "graphile-worker";
import type pg from "pg";
import type { WorkerConfig } from "../common/config.ts";
import type { Log } from "../common/log.ts";
import { openPool, requireOwnBackend } from "../common/pool.ts";
import { checkConnections, checkDatabase } from "../common/startup_checks.ts";
import { openDelivery } from "./delivery.ts";
import { firstLook } from "./first_look.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { holdLiveness } from "./liveness.ts";
import { createProviderCheck } from "./provider_check.ts";
import { makeProviders } from "./sms/provider.ts";
import { cleanUp } from "./tasks/clean_up.ts";
import { sendOtp } from "./tasks/send_otp.ts";

/** How long SMS in flight may go on once the worker stops: less than a process has to end in (common/signals.ts). */
const drainMs = 1_500;

export interface RunningWorker {
  stop: () => Promise<void>;
  /** Resolves when the worker ends, asked or not. */
  ended: Promise<void>;
}

/** Works on the queue until stopped. Sessions are needed (LISTEN, advisory locks), so it takes the direct address. */
export async function startWorker(config: WorkerConfig, log: Log): Promise<RunningWorker> {
  const pool = openPool(
    { connectionString: config.directUrl, application_name: "latchkey worker", max: config.WORKER_POOL_SIZE },
    log,
  );

  try {
    const delivery = openDelivery(pool);
    const client = await pool.connect();
    await requireOwnBackend(client, "WORKER_DATABASE_DIRECT_URL").finally(() => client.release());
    const query = pool.query.bind(pool);
    await checkDatabase({ query, schema: "delivery", log, config });
    // One more shows that the worker lives.
    await checkConnections({ query, connections: config.WORKER_POOL_SIZE + 1, log });
    const providers = makeProviders(config);
    const providerCheck = createProviderCheck({ delivery, providers, log });
    // Made here, because the pool tells its id before run() resolves.
    const events: WorkerEvents = new EventEmitter();
    const poolId = new Promise<string>((resolve) => {
      events.once("pool:create", ({ workerPool }) => resolve(workerPool.id));
    });
    const looked = firstLook(events);
    // Handled below; this one is for a run() that throws first.
    looked.catch(() => undefined);
    const runner = await run({
      events,
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
    });
    await looked.catch(async (error: unknown) => {
      await runner.stop();
      throw error;
    });
    const worker = await poolId;
    const liveness = holdLiveness(config.directUrl, worker, delivery, log);
    const heartbeat = startHeartbeat({ worker, delivery, providerCheck, log });
    return {
      stop: () => stopAll(runner, [heartbeat, liveness], pool),
      ended: runner.promise,
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function stopAll(
  runner: Runner,
  watches: { stop: () => Promise<void> }[],
  pool: pg.Pool,
): Promise<void> {
  await runner.stop();
  for (const watch of watches) await watch.stop();
  await pool.end();
}

/** The library's own lines are about its pool; what matters to us the tasks log themselves. */
function quietLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === "error") log.error({ queue: message }, "the queue reports an error");
    else if (level === "warning") log.warn({ queue: message }, "the queue warns");
    else log.debug({ queue: message }, "queue");
  });
}
