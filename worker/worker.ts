import { randomUUID } from "node:crypto";
import { parseCronItems } from "graphile-worker";
import type { WorkerConfig } from "../config/config.ts";
import { tlsWarnings } from "../config/database_url.ts";
import type { Log } from "../runtime/log.ts";
import type { PrintedMessage } from "../runtime/printed_messages.ts";
import { openPool, requireOwnBackend } from "../runtime/database/pool.ts";
import { poolState } from "../runtime/database/pool_metrics.ts";
import { openTraces } from "../runtime/traces.ts";
import { checkConnections } from "../db/checks/connection_check.ts";
import { explainFailure } from "../db/checks/connection_failure.ts";
import { startMarking } from "../db/checks/restore_check.ts";
import { checkDatabase } from "../db/checks/startup_checks.ts";
import { openMetrics, serveOperations, type Operations } from "../http/operations.ts";
import { createDelivery } from "./delivery.ts";
import { createEventSender } from "./events/event_sender.ts";
import { startQueueingEvents } from "./events/queue_events.ts";
import { mostSubscriptions, sendEvents } from "./events/send_events.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { createWorkerMetrics } from "./metrics.ts";
import { createProviderCheck } from "./provider_check.ts";
import { startQueue } from "./graphile/queue.ts";
import { connectionTimeouts, ReconnectingPool } from "./graphile/reconnecting_pool.ts";
import { createProviders } from "./sms/providers.ts";
import { cleanUp } from "./tasks/clean_up.ts";
import { observedTasks } from "./tasks/observed_tasks.ts";
import { sendOtp } from "./tasks/send_otp.ts";

/** How long a stopping worker waits for SMS in flight. Shorter than the shutdown time-out in runtime/signals.ts. */
const drainMs = 1_500;

export interface RunningWorker {
  /** Where the metrics are, if OPERATIONS_PORT is set. */
  metricsUrl: string | undefined;
  /** Stops taking jobs, waits for those in flight, closes the connections. */
  stop: () => Promise<void>;
}

/**
 * Checks the database, then runs jobs until stopped, also across restarts of PostgreSQL. Uses the direct URL, because
 * LISTEN and advisory locks need sessions.
 * @param onPrinted called with each message of the console provider
 * @throws OperatorError when the URL leads through a transaction pooler, or a startup check fails
 */
export async function startWorker(
  config: WorkerConfig,
  log: Log,
  onPrinted?: (message: PrintedMessage) => void,
): Promise<RunningWorker> {
  for (const warning of tlsWarnings(config)) log.warn(warning);
  const pool = openPool(
    {
      connectionString: config.directUrl,
      application_name: "latchkey worker",
      max: config.WORKER_POOL_SIZE,
      ...connectionTimeouts,
    },
    log,
    (options) => new ReconnectingPool(options, log),
  );

  let operations: Operations | undefined;
  let marking: { stop: () => void } | undefined;
  try {
    const delivery = createDelivery(pool);
    const variable =
      config.directUrl === config.WORKER_DATABASE_URL ? "WORKER_DATABASE_URL" : "WORKER_DATABASE_DIRECT_URL";
    const client = await pool.connect().catch((error: unknown) => explainFailure(error, variable));
    await requireOwnBackend(client, "WORKER_DATABASE_DIRECT_URL").finally(() => client.release());
    const query = pool.query.bind(pool);
    await checkDatabase({ query, schema: "delivery", log, config });
    // The pool's connections and the one of worker/graphile/liveness.ts.
    await checkConnections({ query, connections: config.WORKER_POOL_SIZE + 1, log });
    // Before the queue: a promoted standby is settled first, and its waiting messages end.
    marking = await startMarking({ query, log });
    const providers = createProviders(config, onPrinted);
    const providerCheck = createProviderCheck({ delivery, providers, log });
    const traces = await openTraces(log);
    const metrics = await openMetrics(config.operations, "worker");
    const workerMetrics = metrics && createWorkerMetrics(metrics);
    workerMetrics?.measure({
      pool: () => poolState("worker", pool),
      configured: providers.configured,
      unavailable: providers.unavailable,
    });
    if (metrics && config.operations) operations = await serveOperations(metrics, config.operations);
    const tasks = {
      send_otp: sendOtp({
        delivery,
        providers,
        providerCheck,
        codeKey: config.codeKey,
        onAttempt: workerMetrics?.onAttempt,
        traces,
        log,
      }),
      send_events: sendEvents({ delivery, sender: createEventSender(config), log }),
      clean_up: cleanUp({ delivery }),
    };
    // Each subscription has one job at a time: those for which all subscriptions wait are none that a message could have.
    const concurrency = config.WORKER_CONCURRENCY + mostSubscriptions;
    const queue = await startQueue({
      url: config.directUrl,
      log,
      runner: {
        pgPool: pool,
        noHandleSignals: true,
        concurrency,
        preset: {
          worker: {
            // Jobs are fetched together, but not completed together (completeJobBatchDelay): version 0.18 retries no
            // batch, and stops forever when it loses two at once (https://github.com/graphile/worker/issues/636).
            localQueue: { size: concurrency },
            gracefulShutdownAbortTimeout: drainMs,
          },
        },
        taskList: observedTasks(tasks, { log, onJob: workerMetrics?.onJob, traces }),
        parsedCronItems: parseCronItems([{ task: "clean_up", match: "17 * * * *", identifier: "clean_up" }]),
      },
    });
    pool.enableRetries();
    const heartbeat = startHeartbeat({
      worker: randomUUID(),
      delivery,
      providerCheck,
      log,
      providers: providers.configured,
    });
    const queueing = startQueueingEvents({ delivery, log });
    return {
      metricsUrl: operations?.url,
      async stop() {
        pool.disableRetries();
        await queueing.stop();
        await queue.stop();
        await heartbeat.stop();
        await operations?.stop();
        marking?.stop();
        await pool.end();
      },
    };
  } catch (error) {
    await operations?.stop();
    marking?.stop();
    await pool.end();
    throw error;
  }
}
