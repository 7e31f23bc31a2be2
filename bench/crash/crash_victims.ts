import type { RestartablePostgres } from "../../testing/restartable_postgres.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { Supervised } from "./crash_processes.ts";
import type { SentRequest } from "./crash_load.ts";
import type { Sms } from "./crash_vendor.ts";

export const victims = ["worker", "server", "postmaster", "backend"] as const;
export type Victim = (typeof victims)[number];

/** Times are of Date.now(). */
export interface Kill {
  victim: Victim;
  at: number;
  /** When the process ran again. */
  upAgainAt: number;
}

/** Within this time the worker records an answer, even on a machine that all of these processes overload. */
const recordingMs = 5_000;
/** The same after PostgreSQL was unavailable: the worker's longest pause before it connects again is two seconds. */
const reconnectingMs = 2_000 + recordingMs;

/** Creates the function that kills a victim with SIGKILL and resolves when it runs again. */
export function createKiller(
  postgres: RestartablePostgres,
  processes: Record<"worker" | "server", Supervised>,
  random: () => number,
): (victim: Victim) => Promise<Kill> {
  const backends = () =>
    postgres.query<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'client backend' and application_name like 'latchkey %' order by pid",
    );

  async function killBackend(): Promise<number> {
    const pids = await backends();
    const { pid } = pids[Math.floor(random() * pids.length)] ?? {};
    const at = Date.now();
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    // The postmaster ends all other sessions, recovers, and removes the process from its list.
    while ((await backends().catch(() => [{ pid }])).some((other) => other.pid === pid)) await delay(20);
    return at;
  }

  const kill: Record<Victim, () => Promise<number | undefined>> = {
    worker: () => processes.worker.kill().then(() => undefined),
    server: () => processes.server.kill().then(() => undefined),
    async postmaster() {
      await postgres.halt("kill");
      await postgres.resume();
      return undefined;
    },
    backend: killBackend,
  };
  return async (victim) => {
    const startedAt = Date.now();
    const at = (await kill[victim]()) ?? startedAt;
    return { victim, at, upAgainAt: Date.now() };
  };
}

/** The victim of the first kill between a request and its end; otherwise of the last kill before it. */
export function victimOf(
  { startedAt, endedAt, status, kind }: SentRequest,
  lastMessageAt: number | undefined,
  kills: Kill[],
): Victim | "none" {
  const waits = kind === "reset" && status === 200 ? Infinity : endedAt;
  const end = Math.max(endedAt, lastMessageAt ?? waits);
  const during = kills.find(({ at }) => at >= startedAt && at <= end);
  return (during ?? kills.findLast(({ at }) => at < startedAt))?.victim ?? "none";
}

/** Whether the worker was killed after the vendor had the message, and before it can have recorded the vendor's answer. */
export function isAnswerLost({ receivedAt, answeredAt = Infinity }: Sms, kills: Kill[]): boolean {
  let recordedBy = answeredAt + recordingMs;
  for (const { victim, at, upAgainAt } of kills)
    if ((victim === "postmaster" || victim === "backend") && at <= recordedBy)
      recordedBy = Math.max(recordedBy, upAgainAt + reconnectingMs);
  return kills.some(({ victim, at }) => victim === "worker" && at >= receivedAt && at <= recordedBy);
}
