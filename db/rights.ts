import type pg from "pg";
import { OperatorError } from "../runtime/operator_error.ts";

const restoreAgain =
  "A restore loses the rights of roles that do not exist yet: restore again into an empty database, after db/roles.sql (docs/operations.md).";

/** Refuses a database that was restored before its roles were created: a migration cannot repair objects of another owner. */
export async function refuseForeignOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    `select c.relowner::regrole::text as owner from pg_catalog.pg_class c
     where c.relnamespace = to_regnamespace('migration') and c.relname = 'fingerprint' and c.relowner::regrole::text <> 'latchkey_owner'`,
  );
  if (!rows[0]) return;
  throw new OperatorError(
    `Latchkey's tables belong to ${rows[0].owner} and not to latchkey_owner. ${restoreAgain}`,
  );
}

/** Refuses a database that lacks rights which the last migration left in force. */
export async function refuseMissingRights(query: () => Promise<string[]>): Promise<void> {
  const lines = await query();
  if (lines.length === 0) return;
  const more = lines.length > 3 ? `, and ${lines.length - 3} more` : "";
  throw new OperatorError(
    `Rights of Latchkey's roles are missing: ${lines.slice(0, 3).join("; ")}${more}. ${restoreAgain} ` +
      "If you revoked one on purpose, delete its line from private.granted_right.",
  );
}
