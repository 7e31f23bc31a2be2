import { round } from "./parts/figures.ts";
import { compare, oneRow, openSides } from "./growth/backend_cpu.ts";
import { caseNames } from "./growth/growth_cases.ts";
import { measureCleanUp } from "./growth/growth_clean_up.ts";
import { startCluster } from "./growth/growth_cluster.ts";
import { callsOf, type Measured } from "./growth/measured_calls.ts";
import { perAccount } from "./growth/rows.ts";

/**
 * The cost of millions of rows. Measures each api function's CPU in a database with ROWS sessions and as
 * many one-time passwords and in a nearly empty one, and the latency of short calls during the clean-up.
 * LATCHKEY_POSTGRES_BIN selects another PostgreSQL. Needs 20 minutes and 10 GB in the temporary folder. Compare ratios: the
 * machine is noisy. Let the kernel reserve huge pages first (sysctl vm.nr_hugepages=4500): a table that fills memory otherwise pays
 * for page faults and for misses of the processor's table of addresses.
 */
const rows = Number(process.env.ROWS ?? 5_000_000);
const cpuMs = Number(process.env.CPU_MS ?? 1_000);
const seconds = Number(process.env.SECONDS ?? 30);
/** Names of api functions, separated by commas: only these are measured. */
const only = process.env.FUNCTIONS?.split(",");
/** Enough rows for one block of calls, each of which needs its own row. */
const emptyAccounts = 400;
const target = (name: string) => (name === "authorize" ? 1.3 : 1.1);

const cluster = await startCluster({ empty: emptyAccounts, grown: Math.floor(rows / perAccount) });
const { empty, grown } = cluster;

async function measureFunctions(): Promise<void> {
  const measure = async (measured: Measured, sides: Awaited<ReturnType<typeof openSides>>, goal?: number) => {
    const { empty: few, grown: many, ratio, blocks, count } = await compare(measured, sides, cpuMs);
    console.log(
      `${measured.name.padEnd(30)} ${round(few, 3)} ms, ${round(many, 3)} ms: ${round(ratio)} ×, ` +
        `${round((many - few) * 1_000, 0)} µs more (${blocks} blocks of ${count}` +
        `${goal === undefined ? "" : `; target ${goal}: ${ratio <= goal ? "met" : "MISSED"}`})`,
    );
  };
  console.log("CPU of PostgreSQL's backend per call, empty and grown, medians of blocks");
  const superusers = await openSides(cluster, ({ superuserUrl }) => superuserUrl);
  await measure(oneRow, superusers);
  const sides = await openSides(cluster, ({ serverUrl }) => serverUrl);
  for (const name of caseNames.filter((candidate) => only?.includes(candidate) ?? true))
    await measure(callsOf(name), sides, target(name));
  for (const { client } of [...superusers, ...sides]) await client.end();
}

try {
  const started = performance.now();
  await grown.seed();
  await empty.seed();
  const { rows: found } = await grown.superuser.query<{ version: string; size: string }>(
    `select current_setting('server_version') || ', shared_buffers ' || current_setting('shared_buffers')
       || coalesce(', huge pages ' || current_setting('huge_pages_status', true), '') as version,
       pg_size_pretty(pg_database_size(current_database())) as size`,
  );
  console.log(
    `PostgreSQL ${found[0]?.version}; grown: ${grown.accounts * perAccount} sessions and one-time passwords each, ${grown.accounts} accounts ` +
      `and as many known clients, registrations and counters of sends and wrong codes, ${grown.accounts * 2} rate limits, ${found[0]?.size}, seeded in ${round((performance.now() - started) / 1_000, 0)} s; ` +
      `empty: ${empty.accounts * perAccount} sessions`,
  );
  await measureFunctions();
  if (!only) {
    console.log("clean-up beside 50 short calls a second, in grown");
    await measureCleanUp(grown, seconds);
  }
} finally {
  await cluster.stop();
}
