import { cpuOfTree } from "./cpu.ts";
import { median, quantile, round, runConcurrently } from "./figures.ts";

export type Work = (index: number) => Promise<unknown>;

/** How often the work will run, and how many runs are in flight. */
export interface Plan {
  count: number;
  width: number;
}

export interface Contender {
  name: string;
  /** The processes whose CPU counts, by their part in the work. */
  pids: Record<string, number>;
  /** One request. It throws where the answer is not the expected one. */
  work: Work;
}

/** Medians over the rounds. CPU is in milliseconds per request. */
export interface Cost {
  cpu: Record<string, number>;
  total: number;
  perSecond: number;
  p50: number;
  p99: number;
}

export interface Rounds {
  width: number;
  rounds: number;
  perRound: number;
  /** Requests of each contender before the first round, until V8 has compiled the hot code. */
  warmUp: number;
}

async function measureRound({ pids, work }: Contender, { width, perRound }: Rounds): Promise<Cost> {
  const used = () => Object.values(pids).map((pid) => cpuOfTree(pid));
  const [before, startedAt] = [used(), performance.now()];
  const durations = await runConcurrently(perRound, width, work);
  const took = performance.now() - startedAt;
  const spent = used().map((after, index) => (after - (before[index] ?? 0)) / perRound);
  return {
    cpu: Object.fromEntries(Object.keys(pids).map((part, index) => [part, spent[index] ?? 0])),
    total: spent.reduce((sum, ms) => sum + ms, 0),
    perSecond: (perRound * 1000) / took,
    p50: median(durations),
    p99: quantile(durations, 0.99),
  };
}

/** Measures the contenders in turn, round by round, so that noise of the machine affects all of them. */
export async function compare(contenders: Contender[], options: Rounds): Promise<Cost[]> {
  for (const { work } of contenders) await runConcurrently(options.warmUp, options.width, work);
  const measured = contenders.map(() => [] as Cost[]);
  for (let at = 0; at < options.rounds; at++)
    for (const [index, contender] of contenders.entries())
      measured[index]?.push(await measureRound(contender, options));
  return measured.map((costs, index) => {
    const of = (figure: (cost: Cost) => number) => median(costs.map(figure));
    const parts = Object.keys(contenders[index]?.pids ?? {});
    return {
      cpu: Object.fromEntries(parts.map((part) => [part, of(({ cpu }) => cpu[part] ?? 0)])),
      total: of(({ total }) => total),
      perSecond: of(({ perSecond }) => perSecond),
      p50: of(({ p50 }) => p50),
      p99: of(({ p99 }) => p99),
    };
  });
}

export const costHeading = ["per second", "p50 ms", "p99 ms", "CPU ms per request"];

/** The columns of costHeading. */
export const costColumns = ({ cpu, perSecond, p50, p99 }: Cost): (string | number)[] => [
  round(perSecond, 0),
  round(p50, 1),
  round(p99, 1),
  Object.entries(cpu)
    .map(([part, ms]) => `${part} ${round(ms)}`)
    .join(", "),
];
