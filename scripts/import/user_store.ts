import { z } from "zod";
import type { ImportConfig } from "../../config/import_config.ts";
import { checkPepper, checkVersion } from "../../db/checks/startup_checks.ts";
import { createLog } from "../../runtime/log.ts";
import { openPool } from "../../runtime/database/pool.ts";
import { asOwner } from "../as_owner.ts";
import type { ImportedUser } from "./parse_user.ts";

export interface UserStore {
  /** Imports a batch, all or none. @throws OperatorError */
  importUsers: (users: ImportedUser[]) => Promise<Map<ImportedUser, ImportOutcome>>;
  stop: () => Promise<void>;
}

interface Options {
  config: ImportConfig;
  cost: number;
  connections: number;
}

/**
 * Connects as the migrator.
 * @throws OperatorError if the database is unavailable, not migrated, or has another pepper
 */
export async function openUserStore({ config, cost, connections }: Options): Promise<UserStore> {
  // A lost connection fails the query that was running, which reports it.
  const log = createLog("import", "silent");
  const options = {
    connectionString: config.databaseUrl,
    application_name: "latchkey import",
    max: connections,
  };
  const pool = openPool(options, log);
  try {
    await asOwner(pool, again, async (client) => {
      const query = client.query.bind(client);
      await checkVersion({ query, schema: "api" });
      await checkPepper({ query, config });
    });
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    async importUsers(users) {
      // Sorts as private.import_users requires. Lines with the same phone keep their order.
      const sorted = users.toSorted((one, other) => Number(one.phone > other.phone) - Number(one.phone < other.phone));
      const columns = importedColumns.map((name) => sorted.map((user) => user[name]));
      const { rows } = await asOwner(pool, again, (client) => client.query(importStatement, [...columns, cost]));
      return new Map(zip(sorted, z.array(outcomeSchema).parse(rows)));
    },
    stop: () => pool.end(),
  };
}

/** The attributes of private.imported_user. */
const importedColumns = [
  "phone",
  "email",
  "foreign_prehash",
  "foreign_parameters",
  "created_at",
  "fingerprint",
  "id",
  "external_id",
] as const;
const columnList = importedColumns.join(", ");

const importStatement = `
  select o.outcome, o.id from private.import_users(array(
    select row(${columnList})::private.imported_user
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::bytea[], $7::uuid[], $8::text[])
      with ordinality as u (${columnList}, position)
    order by u.position
  ), $9) with ordinality o (outcome, id, position)
  order by o.position`;

/** For the operator whose database fails. */
const again = "When it is back, run the same command again: what is imported already is skipped.";

/** The SQL type private.import_outcome. */
const outcomeSchema = z.union([
  z.object({ outcome: z.enum(["imported", "present"]), id: z.uuid() }),
  z.object({ outcome: z.enum(["phone_taken", "id_taken", "external_id_taken"]), id: z.null() }),
]);
export type ImportOutcome = z.output<typeof outcomeSchema>;

function zip<One, Other>(ones: One[], others: Other[]): [One, Other][] {
  return ones.flatMap((one, index): [One, Other][] => others.slice(index, index + 1).map((other) => [one, other]));
}
