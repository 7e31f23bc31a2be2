import { measureCrashes } from "./crash.ts";
import { killed, restarted } from "./crash/crash_tally.ts";

/** Each is a file of its own; the comment at its top names the variables that change it. */
const benches: Record<string, { measures: string; run: () => Promise<unknown> }> = {
  load: { measures: "each route beside a floor without its rules", run: () => import("./load.ts") },
  peers: {
    measures: "the routes beside better-auth, parse-server and the floors",
    run: () => import("./peers.ts"),
  },
  sends: { measures: "CPU, rate and latency of SMS beside a bare queue", run: () => import("./sends.ts") },
  accounts: { measures: "the routes of an account beside a refresh", run: () => import("./accounts.ts") },
  own_tables: {
    measures: "a row of the application's own tables beside one of ours",
    run: () => import("./own_tables.ts"),
  },
  events: {
    measures: "the routes with events beside the same without, with 1, 8 and 32 in flight",
    run: () => import("./events.ts"),
  },
  growth: { measures: "millions of rows beside a nearly empty database", run: () => import("./growth.ts") },
  attack: { measures: "what others notice of abuse", run: () => import("./attack.ts") },
  restart: { measures: "what restarts of PostgreSQL and server lose", run: () => measureCrashes(restarted) },
  crash: { measures: "messages lost or sent twice after kill -9", run: () => measureCrashes(killed) },
  timing: { measures: "whether response times tell who is registered", run: () => import("./timing.ts") },
  import: { measures: "users per second, and memory, of an import", run: () => import("./import.ts") },
};

/** npm run bench -- NAME. Compare ratios of one run: machines are noisy, and the load generator uses the same cores. */
const bench = benches[process.argv[2] ?? ""];
if (bench) await bench.run();
else {
  console.log("npm run bench -- NAME measures:");
  for (const [name, { measures }] of Object.entries(benches)) console.log(`  ${name.padEnd(10)}${measures}`);
  process.exitCode = process.argv[2] === undefined ? 0 : 1;
}
