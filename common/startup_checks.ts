import type pg from "pg";
import { migrationNames } from "../db/sql_files.ts";
import { OperatorError } from "./environment.ts";
import type { Log } from "./log.ts";

interface Given {
  query: pg.Pool["query"];
  /** The schema whose entry points this process calls. */
  schema: "api" | "delivery";
  log: Log;
  config: { production: boolean };
}

/** What a process looks at before it starts: the database's version, its own role, and what PostgreSQL would log. */
export async function checkDatabase(given: Given): Promise<void> {
  await checkVersion(given);
  await checkRole(given);
  await warnOfLoggedParameters(given);
}

async function checkVersion({ query, schema }: Given): Promise<void> {
  const expected = migrationNames().at(-1);
  const installed = await query<{ name: string }>(`select ${schema}.installed_migration() as name`).catch(
    (error: unknown) => {
      throw new OperatorError(whyNot(error as pg.DatabaseError), { cause: error });
    },
  );
  const name = installed.rows[0]?.name;
  if (name === expected) return;
  throw new OperatorError(
    String(name) > String(expected)
      ? `The database is of a newer version: it is at migration ${name}, this version knows none after ${expected}.`
      : `The database is of an older version: it is at migration ${name} and not at ${expected}. Run: npm run db:migrate`,
  );
}

function whyNot({ code = "", message }: pg.DatabaseError): string {
  // No such schema or function, no right to it, no such database, or no such role: nothing of ours is there yet.
  if (/^(42|3F|3D|28)/.test(code))
    return `The database is not migrated (${message}). Run: npm run db:migrate`;
  return `The database cannot be asked: ${message || code}.`;
}

/** The roles that requests are answered as are none that rules do not bind. */
export async function checkRole({ query, log, config }: Omit<Given, "schema">): Promise<void> {
  const { rows } = await query<{ role: string; superuser: boolean; bypass: boolean; owner: boolean }>(
    `select rolname as role, rolsuper as superuser, rolbypassrls as bypass,
            exists (select from pg_catalog.pg_class c where c.relowner = r.oid) as owner
     from pg_catalog.pg_roles r where rolname = current_user`,
  );
  const [found] = rows;
  if (!found) return;
  const faults = [
    found.superuser && "is superuser",
    found.bypass && "bypasses row-level security",
    found.owner && "owns a table",
  ].filter(Boolean);
  if (faults.length === 0) return;
  const message = `The database role ${found.role} ${faults.join(" and ")}: it must not.`;
  if (config.production) throw new OperatorError(message);
  log.warn(message);
}

/** Codes and keys go to SQL as bind parameters, and only a superuser can keep those out of PostgreSQL's log. */
async function warnOfLoggedParameters({ query, log }: Given): Promise<void> {
  const { rows } = await query<{ length: string; duration: string; statement: string }>(
    `select current_setting('log_parameter_max_length') as length,
            current_setting('log_min_duration_statement') as duration,
            current_setting('log_statement') as statement`,
  );
  const [found] = rows;
  if (!found || found.length === "0" || (found.duration === "-1" && found.statement !== "all")) return;
  log.warn(
    "PostgreSQL may write bind parameters, one-time passwords among them, to its log. " +
      "As superuser run: alter system set log_parameter_max_length = 0; select pg_reload_conf();",
  );
}
