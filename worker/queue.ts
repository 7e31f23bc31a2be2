import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { run, type RunnerOptions, type WorkerEvents } from "graphile-worker";
import type { Log } from "../runtime/log.ts";
import { waitForFirstPoll } from "./first_poll.ts";
import { startLiveness } from "./liveness.ts";

const longestPauseMs = 2_000;

export interface Queue {
  stop: () => Promise<void>;
}

interface OpenQueue extends Queue {
  /** Resolves when the queue ends, requested or not. */
  ended: Promise<void>;
}

interface Options {
  /** Of graphile-worker's run(). */
  runner: RunnerOptions;
  /** The direct address, for the connection that shows that this worker lives. */
  url: string;
  log: Log;
}

/**
 * Runs the queue until stopped, and starts another one in this process whenever it ends by itself. Resolves once the
 * queue was looked at; rejects if that failed.
 */
export async function startQueue(options: Options): Promise<Queue> {
  const { log } = options;
  const stopping = new AbortController();
  let queue: OpenQueue | undefined = await openQueue(options);

  const isStopping = () => stopping.signal.aborted;

  async function supervise(): Promise<void> {
    for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await queue?.ended;
      if (isStopping()) return;
      if (queue) log.error("the queue has ended by itself: another one is started");
      // Jobs that it leaves locked are freed by the next one, because nobody holds the lock of their pool any more.
      await queue?.stop();
      queue = undefined;
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (isStopping()) return;
      queue = await openQueue(options).catch((error: unknown) => {
        log.error({ err: (error as Error).message }, "the queue cannot be started");
        return undefined;
      });
      if (queue) pauseMs = 50;
      if (isStopping()) await queue?.stop();
    }
  }

  const supervised = supervise();
  return {
    async stop() {
      stopping.abort();
      await queue?.stop();
      await supervised;
    },
  };
}

async function openQueue({ runner: options, url, log }: Options): Promise<OpenQueue> {
  // Made here, because the pool tells its id before run() resolves.
  const events: WorkerEvents = new EventEmitter();
  const poolId = new Promise<string>((resolve) => {
    events.once("pool:create", ({ workerPool }) => resolve(workerPool.id));
  });
  const looked = waitForFirstPoll(events);
  // Handled below; this one is for a run() that throws first.
  looked.catch(() => undefined);
  const runner = await run({ ...options, events });
  const ended = runner.promise.catch((error: unknown) => {
    log.error({ err: (error as Error).message }, "the queue failed");
  });
  let stopped: Promise<void> | undefined;
  // The library rejects when it has stopped by itself.
  const stopRunner = () => (stopped ??= runner.stop().catch(() => ended));
  await looked.catch(async (error: unknown) => {
    await stopRunner();
    throw error;
  });
  const liveness = startLiveness(url, await poolId, log);
  return {
    ended,
    async stop() {
      await stopRunner();
      await liveness.stop();
    },
  };
}
