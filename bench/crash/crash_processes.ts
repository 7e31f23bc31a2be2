import { setTimeout as delay } from "node:timers/promises";
import type { RestartablePostgres, StopMode } from "../../testing/postgres/restartable_postgres.ts";
import type { Process } from "../parts/started_process.ts";

export interface Supervised {
  /** Sends SIGKILL, and resolves when the next process is ready. */
  kill: () => Promise<void>;
  /** Sends SIGTERM, and resolves when the next process is ready. */
  restart: () => Promise<void>;
  /** How often it ended although it was not killed. */
  endedByItself: () => number;
  stop: () => Promise<void>;
}

const retryDelayMs = 200;
const maxFailuresInARow = 100;

/**
 * Keeps a process running as an orchestrator does: one that ends, or cannot start while PostgreSQL is unavailable, is
 * started again.
 */
export async function supervise(start: () => Promise<Process>): Promise<Supervised> {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const counts = { endedByItself: 0, failures: 0 };
  let current: Process | undefined;
  let killed: Process | undefined;
  let ready = Promise.withResolvers<undefined>();

  async function run(): Promise<void> {
    while (!isStopping()) {
      current = await start().catch((error: unknown) => {
        if (++counts.failures >= maxFailuresInARow) ready.reject(error);
        return undefined;
      });
      if (!current) {
        await delay(retryDelayMs);
        continue;
      }
      counts.failures = 0;
      ready.resolve(undefined);
      await current.ended;
      if (current !== killed && !isStopping()) counts.endedByItself++;
      ready = Promise.withResolvers();
    }
  }

  const running = run();
  await ready.promise;
  const end = async (signal: "kill" | "stop") => {
    await ready.promise;
    killed = current;
    void current?.[signal]();
    await current?.ended;
    await delay(0);
    await ready.promise;
  };
  return {
    kill: () => end("kill"),
    restart: () => end("stop"),
    endedByItself: () => counts.endedByItself,
    async stop() {
      stopping.abort();
      await current?.stop();
      await running;
    },
  };
}

/** Kills one of the service's backends with SIGKILL and resolves when PostgreSQL has recovered. */
export async function killBackend(postgres: RestartablePostgres, random: () => number): Promise<void> {
  const backends = () =>
    postgres.query<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'client backend' and application_name like 'latchkey %' order by pid",
    );
  const pids = await backends();
  const { pid } = pids[Math.floor(random() * pids.length)] ?? {};
  if (pid !== undefined) process.kill(pid, "SIGKILL");
  // The postmaster ends all other sessions, recovers, and removes the process from its list.
  while ((await backends().catch(() => [{ pid }])).some((other) => other.pid === pid)) await delay(20);
}

/** Stops PostgreSQL and starts it again. */
export async function restartPostgres(postgres: RestartablePostgres, mode: StopMode): Promise<void> {
  await postgres.halt(mode);
  await postgres.resume();
}
