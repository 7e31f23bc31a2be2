import { adminDatabaseUrl } from "../../config/admin_database.ts";
import { runMain } from "../../runtime/operator_error.ts";
import { parseArguments } from "./fraud_arguments.ts";
import { replay } from "./replay.ts";
import { formatReport } from "./report.ts";

/**
 * npm run fraud -- what-if: what fraud rules would have refused under other settings. docs/fraud.md describes its use.
 */
await runMain(async () => {
  const request = parseArguments(process.argv.slice(2));
  console.log(formatReport(await replay(adminDatabaseUrl(process.env), request)));
});
