import { parseArgs } from "node:util";
import { allCandidates } from "./candidates.ts";
import { keyOf, readEquivalents } from "./equivalents.ts";
import { runMutants } from "./run.ts";
import { shuffle } from "./sample.ts";

/**
 * npm run mutate: changes the functions of db/functions, one change at a time, and reports each change that no test
 * notices. --sample 40 --seed 1: a sample of 40, chosen by the seed; default: all. --skip 900: all but the first 900 of
 * that order, to go on where a run of the same files was interrupted. --only "count_hit|lock": only mutants whose path,
 * line, kind or change (path:12 lock `before` → `after`) matches. --no-flows: pgTAP only. --no-pgtap: flows only.
 * --verbose: also prints what killed each mutant.
 */
const { values } = parseArgs({
  allowNegative: true,
  options: {
    sample: { type: "string" },
    skip: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    pgtap: { type: "boolean", default: true },
    flows: { type: "boolean", default: true },
    verbose: { type: "boolean", default: false },
  },
});

const equivalents = readEquivalents();
const candidates = allCandidates().filter(
  (candidate) =>
    new RegExp(values.only).test(`${candidate.path}:${candidate.line} ${candidate.kind} ${candidate.change}`) &&
    !equivalents.has(keyOf(candidate)),
);
const verdicts = await runMutants(shuffle(candidates, Number(values.seed)), {
  skip: Number(values.skip),
  count: values.sample === undefined ? candidates.length : Number(values.sample),
  pgtap: values.pgtap,
  flows: values.flows,
  report: ({ path, line, change }, verdict, killer) => {
    if (verdict === "survived") console.log(`survived: db/${path}:${line}: ${change}`);
    else if (values.verbose) console.log(`killed by ${killer ?? verdict}: db/${path}:${line}: ${change}`);
  },
});
const number = (kind: string) => verdicts.filter((verdict) => verdict === kind).length;
console.log(
  `${verdicts.length} mutants, ${number("pgTAP")} killed by pgTAP, ${number("flows")} by flows, ${number("survived")} survived`,
);
if (number("survived") > 0) process.exitCode = 1;
