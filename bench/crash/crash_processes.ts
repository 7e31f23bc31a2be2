import { setTimeout as delay } from "node:timers/promises";
import type { Process } from "../parts/started_process.ts";

export interface Supervised {
  /** Sends SIGKILL and resolves when the next process is ready. */
  kill: () => Promise<void>;
  /** How often it ended although it was not killed. */
  endedByItself: () => number;
  stop: () => Promise<void>;
}

const retryDelayMs = 200;
const maxFailuresInARow = 100;

/** Keeps a process running as an orchestrator does: one that ends, or cannot start while PostgreSQL is unavailable, is started again. */
export async function supervise(start: () => Promise<Process>): Promise<Supervised> {
  let current: Process | undefined;
  let ready = Promise.withResolvers<undefined>();
  let isStopping = false;
  let endedByItself = 0;
  /** The process that was killed last. */
  let killed: Process | undefined;

  const isStopped = () => isStopping;

  async function run(): Promise<void> {
    for (let failures = 0; !isStopped();) {
      current = await start().catch((error: unknown) => {
        if (++failures >= maxFailuresInARow) ready.reject(error);
        return undefined;
      });
      if (!current) {
        await delay(retryDelayMs);
        continue;
      }
      failures = 0;
      ready.resolve(undefined);
      await current.ended;
      if (current !== killed && !isStopped()) endedByItself++;
      ready = Promise.withResolvers();
    }
  }

  const running = run();
  await ready.promise;
  return {
    async kill() {
      await ready.promise;
      killed = current;
      current?.kill();
      await current?.ended;
      await delay(0);
      await ready.promise;
    },
    endedByItself: () => endedByItself,
    async stop() {
      isStopping = true;
      await current?.stop();
      await running;
    },
  };
}
