import type pg from "pg";
import { OperatorError } from "../runtime/operator_error.ts";
import { readSql } from "./sql_files.ts";

/**
 * Errors after which creating the roles is retried. Roles are cluster-wide: a migration of another database may create them at the same
 * time, or a database that has settings of them may be dropped (42704, 3D000).
 */
const raced = new Set(["23505", "42710", "XX000", "42704", "3D000"]);
const permissionDenied = "42501";

/** Creates the missing roles. */
export async function ensureRoles(client: pg.Client, triesLeft = 10): Promise<void> {
  try {
    await client.query(readSql("roles.sql"));
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    if (raced.has(code ?? "") && triesLeft > 0) return ensureRoles(client, triesLeft - 1);
    if (code !== permissionDenied) throw error;
    throw new OperatorError(
      `The roles of Latchkey cannot be created: ${message}. DATABASE_URL must name the owner of the database, with CREATEROLE; ` +
        `one installation fits into a cluster, so this one may not change the roles of another.`,
      { cause: error },
    );
  }
}
