import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { run, type RunnerOptions, type WorkerEvents } from "graphile-worker";
import type { Log } from "../../runtime/log.ts";
import { watchFirstPoll } from "./first_poll.ts";
import { startLiveness } from "./liveness.ts";
import { watchReceivedJobs } from "./received_jobs.ts";

const maxRetryDelayMs = 2_000;

export interface Queue {
  stop: () => Promise<void>;
}

interface RunningQueue extends Queue {
  /** Resolves when the queue ends, whether stop() was called or not. */
  ended: Promise<void>;
}

interface Options {
  /** Options of graphile-worker's run(). */
  runner: RunnerOptions;
  /** Direct database URL, for the connection that proves that this worker is alive. */
  url: string;
  log: Log;
}

/**
 * Runs graphile-worker until stopped: the door of this folder, whose other files each work around one of its habits and
 * say when they can go. If the queue ends by itself, a new one is started in this process, with backoff.
 * @returns once the queue has polled for a job
 * @throws the error of the first poll, if that fails
 */
export async function startQueue(options: Options): Promise<Queue> {
  const { log } = options;
  const stopping = new AbortController();
  let queue: RunningQueue | undefined = await startOneQueue(options);

  const isStopping = () => stopping.signal.aborted;

  async function supervise(): Promise<void> {
    for (let retryDelayMs = 100; ; retryDelayMs = Math.min(2 * retryDelayMs, maxRetryDelayMs)) {
      await queue?.ended;
      if (isStopping()) return;
      if (queue) log.error("the queue has ended by itself; a new one is started");
      // The next queue unlocks the jobs that this one leaves: nobody holds its advisory lock any more.
      await queue?.stop();
      queue = undefined;
      await delay(retryDelayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (isStopping()) return;
      queue = await startOneQueue(options).catch((error: unknown) => {
        log.error({ err: (error as Error).message }, "the queue cannot be started; retrying");
        return undefined;
      });
      if (queue) retryDelayMs = 50;
      if (isStopping()) await queue?.stop();
    }
  }

  const supervision = supervise();
  return {
    async stop() {
      stopping.abort();
      await queue?.stop();
      await supervision;
    },
  };
}

async function startOneQueue({ runner: runnerOptions, url, log }: Options): Promise<RunningQueue> {
  // graphile-worker emits pool:create before run() resolves, so the emitter must exist before.
  const events: WorkerEvents = new EventEmitter();
  const poolId = new Promise<string>((resolve) => {
    events.once("pool:create", ({ workerPool }) => resolve(workerPool.id));
  });
  const lostOf = watchReceivedJobs(events);
  const { firstPoll, logger } = watchFirstPoll(events, log);
  // If run() throws, nothing awaits firstPoll: its rejection must not be unhandled.
  firstPoll.catch(() => undefined);
  const runner = await run({ ...runnerOptions, events, logger });
  const ended = runner.promise.catch((error: unknown) => {
    log.error({ err: (error as Error).message }, "the queue failed");
  });
  let stopped: Promise<void> | undefined;
  // runner.stop() rejects if the queue has already stopped by itself.
  const stopRunner = () => (stopped ??= runner.stop().catch(() => ended));
  await firstPoll.catch(async (error: unknown) => {
    await stopRunner();
    throw error;
  });
  const liveness = startLiveness({ url, poolId: await poolId, lostOf, log });
  return {
    ended,
    async stop() {
      await stopRunner();
      await liveness.stop();
    },
  };
}
