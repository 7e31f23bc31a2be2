import type { Candidate } from "./candidates.ts";
import type { Coverage } from "./coverage.ts";
import { createFlowRunner } from "./flows.ts";
import { startMutantDatabase, type MutantDatabase } from "./mutant_database.ts";

export type Verdict = "pgTAP" | "flows" | "survived";

export interface RunOptions {
  /** How many mutants to leave out first. */
  skip: number;
  /** The most mutants to run. */
  count: number;
  pgtap: boolean;
  flows: boolean;
  report: (mutant: Candidate, verdict: Verdict, killer?: string) => void;
}

/** Two: each has a PostgreSQL of its own. */
const parallel = 2;

/** Runs the candidates that PostgreSQL accepts, in their order. */
export async function runMutants(candidates: Candidate[], options: RunOptions): Promise<Verdict[]> {
  const databases = await Promise.all(Array.from({ length: parallel }, startMutantDatabase));
  try {
    const [first] = databases as [MutantDatabase];
    const coverage = options.pgtap ? await first.readCoverage() : undefined;
    const queue = await takeAccepted(first, candidates, options.skip + options.count);
    queue.splice(0, options.skip);
    const verdicts = await Promise.all(databases.map((database) => work(database, queue, coverage, options)));
    return verdicts.flat();
  } finally {
    await Promise.all(databases.map((database) => database.stop()));
  }
}

/** Changes that are no valid SQL, such as `set a <> b` in an update, are no mutants. */
async function takeAccepted(database: MutantDatabase, candidates: Candidate[], count: number): Promise<Candidate[]> {
  const accepted: Candidate[] = [];
  for (const candidate of candidates) {
    if (accepted.length === count) break;
    if (await database.accepts(candidate)) accepted.push(candidate);
  }
  return accepted;
}

async function work(
  database: MutantDatabase,
  queue: Candidate[],
  coverage: Coverage | undefined,
  options: RunOptions,
): Promise<Verdict[]> {
  const { flows, report } = options;
  const runner = flows ? createFlowRunner() : undefined;
  const verdicts: Verdict[] = [];
  try {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const pgtap = coverage && (await database.findKiller(mutant, coverage));
      const flow = pgtap === undefined ? await runner?.findKiller(mutant) : undefined;
      const verdict = pgtap !== undefined ? "pgTAP" : flow !== undefined ? "flows" : "survived";
      report(mutant, verdict, pgtap ?? flow);
      verdicts.push(verdict);
    }
  } finally {
    runner?.remove();
  }
  return verdicts;
}
