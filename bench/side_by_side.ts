import { cpuOfTrees } from "./cpu.ts";
import { inFlight, median, round } from "./figures.ts";

export interface Contender {
  name: string;
  serverPid: number;
  work: () => Promise<unknown>;
}

export interface Cost {
  server: number;
  postgres: number;
  total: number;
  perSecond: number;
}

interface Options {
  postgresPid: number;
  width: number;
  rounds: number;
  perRound: number;
  /** Requests of each contender before anything is measured. */
  warmUp?: number;
}

/** Until then V8 compiles what it finds to be hot, a tenth of a millisecond of CPU for each request. */
export const warmUp = 10_000;

/**
 * Medians over rounds, in milliseconds of CPU per request, once everybody is warm. The contenders take turns, so that the
 * machine's moods hit all.
 */
export async function sideBySide(
  contenders: Contender[],
  { postgresPid, width, rounds, perRound, warmUp: unmeasured = warmUp }: Options,
): Promise<Cost[]> {
  const measured = contenders.map(() => [] as Cost[]);
  for (const { work } of contenders) await inFlight(unmeasured, width, work);
  for (let at = 0; at < rounds; at++) {
    for (const [index, { serverPid, work }] of contenders.entries()) {
      const used = () => [cpuOfTrees([serverPid]), cpuOfTrees([postgresPid])] as const;
      const [before, started] = [used(), performance.now()];
      await inFlight(perRound, width, work);
      const [after, took] = [used(), performance.now() - started];
      const [server, postgres] = [(after[0] - before[0]) / perRound, (after[1] - before[1]) / perRound];
      measured[index]?.push({
        ...{ server, postgres, total: server + postgres, perSecond: (perRound * 1000) / took },
      });
    }
  }
  return measured.map((costs) => {
    const of = (key: keyof Cost) => median(costs.map((cost) => cost[key]));
    return {
      server: of("server"),
      postgres: of("postgres"),
      total: of("total"),
      perSecond: of("perSecond"),
    };
  });
}

export const inWords = ({ total, server, postgres }: Cost): string =>
  `${round(total)} ms CPU (server ${round(server)}, PostgreSQL ${round(postgres)})`;
