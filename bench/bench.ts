import { parseArgs } from "node:util";

/** npm run bench: measures the cost of the main routes; with --trial, what each optimization saves. */
const { values } = parseArgs({ options: { trial: { type: "boolean" } } });
if (values.trial) await (await import("./trial.ts")).runTrials();
else await import("./route_costs.ts");
