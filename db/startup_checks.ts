import type pg from "pg";
import { refuseCreatedSecret } from "../config/secret_store.ts";
import { refuseMissingRights } from "./rights.ts";
import { migrationNames } from "./sql_files.ts";
import { OperatorError } from "../runtime/operator_error.ts";
import type { Log } from "../runtime/log.ts";

interface Options {
  query: pg.Pool["query"];
  /** The schema whose entry points this process calls. */
  schema: "api" | "delivery";
  log: Log;
  config: { production: boolean; pepperFingerprint: Buffer };
}

/**
 * What a process checks before it starts: the database's version and rights, its own role, its pepper, whether both are production,
 * and what PostgreSQL would log.
 */
export async function checkDatabase(options: Options): Promise<void> {
  await checkVersion(options);
  await checkRole(options);
  await checkRights(options);
  await checkPepper(options);
  await checkProduction(options);
  await warnOfLoggedParameters(options);
}

export async function checkVersion({ query, schema }: Pick<Options, "query" | "schema">): Promise<void> {
  const expected = migrationNames().at(-1);
  const installed = await query<{ name: string }>(`select ${schema}.installed_migration() as name`).catch(
    (error: unknown) => explain(error),
  );
  const name = installed.rows[0]?.name;
  if (name === expected) return;
  throw new OperatorError(
    String(name) > String(expected)
      ? `The database is of a newer version: it is at migration ${name}, this version knows none after ${expected}.`
      : `The database is of an older version: it is at migration ${name} and not at ${expected}. Run: npm run db:migrate`,
  );
}

/**
 * Turns what a connection or a first statement failed with into a sentence.
 * variable: of the address, where it is not the process's first one
 * @throws OperatorError
 */
export function explain(error: unknown, variable?: string): never {
  // The worker's pool gives errors that the queue retries another code.
  const { cause = error } = error as Error;
  const sentence = whyNot(cause as pg.DatabaseError);
  throw new OperatorError(variable === undefined ? sentence : `${variable}: ${sentence}`, { cause: error });
}

function whyNot({ code = "", message }: pg.DatabaseError): string {
  if (code.startsWith("28"))
    return (
      `The database refused the login (${message}). If the role's password differs from the one in the address, ` +
      "npm run db:migrate sets it, given the same addresses."
    );
  if (code === "42501")
    return (
      `The database refuses the role (${message}). Either the address names another role than the one that was made for this process, ` +
      "or rights are missing. Run: npm run db:migrate, which checks both."
    );
  if (code === "25006")
    return `The database is read-only (${message}): the address has to lead to the primary. After a failover, start again once there is one.`;
  // No such schema, function or database: the database is not migrated yet.
  if (/^(42|3F|3D)/.test(code)) return `The database is not migrated (${message}). Run: npm run db:migrate`;
  return `The database cannot be reached: ${message || code}.`;
}

const checkRights = ({ query, schema }: Options): Promise<void> =>
  refuseMissingRights(async () => {
    const { rows } = await query<{ lines: string[] }>(`select ${schema}.missing_rights() as lines`).catch(
      (error: unknown) => explain(error),
    );
    return rows[0]?.lines ?? [];
  });

type PepperCheck = Pick<Options, "query" | "schema"> & { config: { pepperFingerprint: Buffer } };

/** With another pepper every password and code is wrong, without any other sign of the cause. */
export async function checkPepper({ query, schema, config }: PepperCheck): Promise<void> {
  const { rows } = await query<{ same: boolean }>(`select ${schema}.check_pepper($1) as same`, [
    config.pepperFingerprint,
  ]).catch((error: unknown) => explain(error));
  if (rows[0]?.same) return;
  // The operator would take a new one for the pepper that is to be restored.
  refuseCreatedSecret("HASH_PEPPER");
  throw new PepperError();
}

/** Another HASH_PEPPER than the database's. */
export class PepperError extends OperatorError {
  readonly fault =
    "HASH_PEPPER is not the one that this database's passwords were hashed with: nobody could sign in.";
  constructor() {
    super();
    this.message =
      `${this.fault} Restore the one that belongs to the database; back it up with the database. ` +
      "If it is lost, every password must be reset; to go on with the new one, run as the migrator: " +
      "set role latchkey_owner; update private.installation set pepper_fingerprint = null;";
  }
}

/** The database would accept what production refuses, such as test numbers, whose codes are fixed. */
async function checkProduction({ query, schema, config }: Options): Promise<void> {
  if (!config.production) return;
  const { rows } = await query<{ same: boolean }>(`select ${schema}.migrated_for_production() as same`);
  if (rows[0]?.same) return;
  throw new OperatorError(
    "The database was last migrated without NODE_ENV=production, so rules of production are not in force in it. " +
      "Run: NODE_ENV=production npm run db:migrate",
  );
}

interface RoleCheck {
  query: pg.Pool["query"];
  log: Log;
  config: { production: boolean };
  /** Roles that this one may become: what requests run as. */
  mayBecome?: string[];
}

/** Refuses, in production, a role with more rights than requests need: the rules would not apply to it. */
export async function checkRole({ query, log, config, mayBecome = [] }: RoleCheck): Promise<void> {
  const { rows } = await query<{ role: string; faults: string[] }>(
    `select r.rolname as role,
            array_remove(array[
              case when r.rolsuper then 'is superuser' end,
              case when r.rolbypassrls then 'bypasses row-level security' end,
              case when r.rolcreaterole then 'makes roles' end,
              case when r.rolreplication then 'replicates' end,
              case when exists (select from pg_catalog.pg_class c where c.relowner = r.oid) then 'owns a table' end,
              case when not r.rolsuper then (
                select 'may become ' || string_agg(g.rolname, ', ' order by g.rolname) from pg_catalog.pg_roles g
                where g.oid <> r.oid and pg_has_role(r.oid, g.oid, 'member') and g.rolname <> all ($1::name[])
              ) end
            ], null) as faults
     from pg_catalog.pg_roles r where r.rolname = current_user`,
    [mayBecome],
  );
  const [found] = rows;
  if (!found || found.faults.length === 0) return;
  const message = `The database role ${found.role} ${found.faults.join(" and ")}: it must not.`;
  if (config.production) throw new OperatorError(message);
  log.warn(message);
}

/** Codes and keys go to SQL as bind parameters, and only a superuser can keep those out of PostgreSQL's log. */
async function warnOfLoggedParameters({ query, log }: Options): Promise<void> {
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

interface ConnectionCheck {
  query: pg.Pool["query"];
  /** How many this process holds at most. */
  connections: number;
  log: Log;
}

/** Logs how many connections a process may open, and warns where PostgreSQL has fewer left. */
export async function checkConnections({ query, connections, log }: ConnectionCheck): Promise<void> {
  // Counted by user, because PostgreSQL shows a role the backend type of its own connections only.
  const { rows } = await query<{ allowed: number; taken: number }>(
    `select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as allowed,
            (select count(*)::integer from pg_catalog.pg_stat_activity a
             where a.datid is not null and a.usesysid is not null and a.pid <> pg_backend_pid()) as taken`,
  );
  const { allowed = 0, taken = 0 } = rows[0] ?? {};
  log.info({ connections, taken, allowed }, "database connections");
  if (connections + taken <= allowed) return;
  log.warn(
    `This process may open ${connections} database connections; ${taken} of the ${allowed} that PostgreSQL allows are taken. ` +
      "Raise max_connections, or lower SERVER_POOL_SIZE, PASSWORD_POOL_SIZE, GRAPHQL_POOL_SIZE or WORKER_POOL_SIZE. " +
      'docs/operations.md, "What to watch", says how to add up all processes.',
  );
}
