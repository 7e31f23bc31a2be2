import { caseNames } from "../testing/api_calls/api_cases.ts";
import { callsOf } from "../testing/api_calls/measured_calls.ts";
import { perAccount } from "../testing/api_calls/seeded_rows.ts";
import { compareSides, oneRow, openSide } from "./growth/backend_cpu.ts";
import { measureCleanUp } from "./growth/growth_clean_up.ts";
import { startCluster } from "./growth/growth_cluster.ts";
import { printTable, round } from "./parts/figures.ts";

/**
 * The cost of millions of rows. Measures each api function's CPU in a database with ROWS sessions and as many one-time
 * passwords and in a nearly empty one, and the latency of short calls during the clean-up. FUNCTIONS names some
 * functions, separated by commas. LATCHKEY_POSTGRES_BIN selects another PostgreSQL. Needs 20 minutes and 10 GB in the
 * temporary folder. Let the kernel reserve huge pages first (sysctl vm.nr_hugepages=4500): a table that fills memory
 * otherwise pays for page faults and for misses of the processor's table of addresses.
 */
const { ROWS = 5_000_000, CPU_MS = 1_000, SECONDS = 30, FUNCTIONS } = process.env;
const only = FUNCTIONS?.split(",");
/** Enough rows for one block of calls, each of which needs its own row. */
const emptyAccounts = 400;

const cluster = await startCluster({ empty: emptyAccounts, grown: Math.floor(Number(ROWS) / perAccount) });
const { empty, grown } = cluster;
try {
  await grown.seed();
  console.log(
    `grown: ${grown.accounts} accounts with ${perAccount} sessions and one-time passwords each; empty: ${emptyAccounts}`,
  );
  const rows: (string | number)[][] = [
    ["CPU of PostgreSQL's backend per call", "empty, ms", "grown, ms", "ratio", "calls"],
  ];
  const measured = caseNames.filter((name) => only?.includes(name) ?? true).map(callsOf);
  for (const calls of [oneRow, ...measured]) {
    const url = calls === oneRow ? "superuserUrl" : "serverUrl";
    const sides = [await openSide(empty, empty[url]), await openSide(grown, grown[url])] as const;
    const { few, many, blocks, count } = await compareSides(calls, ...sides, Number(CPU_MS));
    rows.push([calls.name, round(few, 3), round(many, 3), round(many / few), `${blocks} × ${count}`]);
    for (const { client } of sides) await client.end();
  }
  printTable(rows);
  if (!only) await measureCleanUp(grown, Number(SECONDS));
} finally {
  await cluster.stop();
}
