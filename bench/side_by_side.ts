import { cpuOfTrees } from "./cpu.ts";
import { runConcurrently, median, round } from "./figures.ts";

export interface Candidate {
  name: string;
  serverPid: number;
  /** Only for routes whose work goes on in the worker. */
  workerPid?: number;
  work: () => Promise<unknown>;
}

/** CPU milliseconds per request, and requests per second. */
export interface Cost {
  server: number;
  worker: number;
  postgres: number;
  total: number;
  perSecond: number;
}

interface Options {
  postgresPid: number;
  width: number;
  rounds: number;
  perRound: number;
  /** Requests per candidate before the measurement; default: warmUpRequests. */
  warmUp?: number;
}

/** Requests until V8 has compiled the hot code; before, each request costs 0.1 ms more CPU. */
export const warmUpRequests = 10_000;

/**
 * Measures the candidates after a warm-up and returns each one's medians over the rounds. The candidates take turns, so that
 * noise of the machine affects all of them.
 */
export async function compareCosts(
  candidates: Candidate[],
  { postgresPid, width, rounds, perRound, warmUp = warmUpRequests }: Options,
): Promise<Cost[]> {
  const measured = candidates.map(() => [] as Cost[]);
  for (const { work } of candidates) await runConcurrently(warmUp, width, work);
  for (let at = 0; at < rounds; at++) {
    for (const [index, { work, ...pids }] of candidates.entries()) {
      const roots = [pids.serverPid, pids.workerPid ?? [], postgresPid];
      const used = () => roots.map((root) => cpuOfTrees([root].flat()));
      const [before, started] = [used(), performance.now()];
      await runConcurrently(perRound, width, work);
      const [after, took] = [used(), performance.now() - started];
      const [server = 0, worker = 0, postgres = 0] = after.map(
        (ms, at) => (ms - (before[at] ?? 0)) / perRound,
      );
      measured[index]?.push({
        ...{ server, worker, postgres, total: server + worker + postgres },
        perSecond: (perRound * 1000) / took,
      });
    }
  }
  return measured.map((costs) => {
    const of = (key: keyof Cost) => median(costs.map((cost) => cost[key]));
    return {
      server: of("server"),
      worker: of("worker"),
      postgres: of("postgres"),
      total: of("total"),
      perSecond: of("perSecond"),
    };
  });
}

export const formatCost = ({ total, server, postgres }: Cost): string =>
  `${round(total)} ms CPU (server ${round(server)}, PostgreSQL ${round(postgres)})`;
