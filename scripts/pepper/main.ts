import { importConfig } from "../../config/import_config.ts";
import { pepperIdOf } from "../../config/secrets/derived_keys.ts";
import { checkVersion } from "../../db/checks/startup_checks.ts";
import { OperatorError, runMain } from "../../runtime/operator_error.ts";
import { withOwner } from "../as_owner.ts";
import { formatStatus, type Row } from "./format_status.ts";

/**
 * npm run pepper -- status: how much is hashed under which pepper, and whether the previous one may be dropped.
 * docs/operations.md describes the rotation.
 */
await runMain(async () => {
  const [command, ...more] = process.argv.slice(2);
  if (command !== "status" || more.length > 0) throw new OperatorError("Usage: npm run pepper -- status");
  const { databaseUrl, pepperFingerprints } = importConfig(process.env);
  const status = await withOwner(databaseUrl, "pepper", async (client) => {
    const query = client.query.bind(client);
    await checkVersion({ query, schema: "api" });
    const { rows } = await query<Row>("select * from private.pepper_status()");
    const installation = await query<{ pepper_fingerprint: Buffer | null }>(
      "select pepper_fingerprint from private.installation",
    );
    const inForce = installation.rows[0]?.pepper_fingerprint;
    return { rows, inForce: inForce ? pepperIdOf(inForce) : undefined };
  });
  console.log(formatStatus({ ...status, named: pepperFingerprints.map(pepperIdOf) }));
});
