import type pg from "pg";
import type { MigratorConfig } from "../../config/config.ts";
import { logins, type Login } from "./login_addresses.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import { readSql } from "../sql_files.ts";

/**
 * Errors after which creating the roles is retried. Roles are cluster-wide: a migration of another database may create
 * them at the same time, or a database that has settings of them may be dropped (42704, 3D000).
 */
const raced = new Set(["23505", "42710", "XX000", "42704", "3D000"]);
const permissionDenied = "42501";

/** Creates the missing roles; a program's second login role only where its address names it. */
export async function ensureRoles(client: pg.Client, config: MigratorConfig, triesLeft = 10): Promise<void> {
  const second = logins(config).filter(({ role }) => role.endsWith("_b"));
  try {
    await client.query([...second.map(createRole), readSql("roles.sql")].join("\n"));
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    if (raced.has(code ?? "") && triesLeft > 0) return ensureRoles(client, config, triesLeft - 1);
    if (code !== permissionDenied) throw error;
    throw new OperatorError(
      `The roles of Latchkey cannot be created: ${message}. DATABASE_URL must name the owner of the database, with CREATEROLE; ` +
        `one installation fits into a cluster, so this one may not change the roles of another.`,
      { cause: error },
    );
  }
}

const createRole = ({ role }: Login): string =>
  `do $$ begin
    if not exists (select from pg_catalog.pg_roles where rolname = '${role}') then create role ${role} login noinherit; end if;
  end $$;`;
