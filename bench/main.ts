import { parseArgs } from "node:util";

/** npm run bench: what the main routes cost; with --trial, what each optimization saves. */
const { values } = parseArgs({ options: { trial: { type: "boolean" } } });
if (values.trial) await (await import("./trial.ts")).runTrials();
else await import("./routes.ts");
