import type pg from "pg";
import { pepperIdOf } from "../../config/secrets/derived_keys.ts";
import { refuseCreatedSecret } from "../../config/secrets/secret_store.ts";
import { refuseMissingRights } from "../migrate/catalog.ts";
import { migrationNames } from "../sql_files.ts";
import { refuseRestored } from "./restore_check.ts";
import { explainFailure } from "./connection_failure.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import type { Log } from "../../runtime/log.ts";

interface Options {
  query: pg.Pool["query"];
  /** The schema whose entry points this process calls: another role than its own may not. */
  schema: "api" | "delivery";
  /** Names the address, where this is the first login. */
  variable?: string;
  log: Log;
  /** JWT_ISSUER: of the server, which signs the tokens. */
  config: { production: boolean; pepperFingerprints: Buffer[]; JWT_ISSUER?: string };
}

/**
 * Checks before a process starts: the database's version and rights, whether it was restored, its own role, its pepper, whether both are
 * production, and what PostgreSQL would log.
 */
export async function checkDatabase(options: Options): Promise<void> {
  await checkVersion(options);
  await checkRole(options);
  await checkRights(options);
  await refuseRestored(options);
  await checkPepper(options);
  warnOfRotation(options);
  await checkProduction(options);
  await storeIssuer(options);
  await warnOfLoggedParameters(options);
}

type VersionCheck = Pick<Options, "query" | "schema" | "variable">;

export async function checkVersion({ query, schema, variable }: VersionCheck): Promise<void> {
  const expected = migrationNames().at(-1);
  const { rows } = await query<{ name: string; may_enter: boolean }>(
    "select startup.installed_migration() as name, has_schema_privilege($1, 'usage') as may_enter",
    [schema],
  ).catch((error: unknown) => explainFailure(error, variable));
  const { name, may_enter: mayEnter } = rows[0] ?? {};
  if (mayEnter === false)
    explainFailure({ code: "42501", message: `permission denied for schema ${schema}` }, variable);
  if (name === expected) return;
  throw new OperatorError(
    String(name) > String(expected)
      ? `The database is of a newer version: it is at migration ${name}, the last one of this version is ${expected}.`
      : `The database is of an older version: it is at migration ${name} and not at ${expected}. Run: npm run db:migrate`,
  );
}

async function checkRights({ query }: Options): Promise<void> {
  const { rows } = await query<{ lines: string[] }>(`select startup.missing_rights() as lines`).catch(
    (error: unknown) => explainFailure(error),
  );
  refuseMissingRights(rows[0]?.lines ?? []);
}

type PepperCheck = Pick<Options, "query"> & { config: { pepperFingerprints: Buffer[] } };

/** Checks the pepper: with a wrong one every password and code would be wrong, and nothing would show the cause. */
export async function checkPepper({ query, config }: PepperCheck): Promise<void> {
  const { rows } = await query<{ same: boolean }>(`select startup.check_pepper($1) as same`, [
    config.pepperFingerprints,
  ]).catch((error: unknown) => explainFailure(error));
  if (rows[0]?.same) return;
  // A pepper that this start created is renamed: the operator could mistake it for the one that is to be restored.
  refuseCreatedSecret("HASH_PEPPER");
  throw new PepperError();
}

function warnOfRotation({ log, config }: Options): void {
  const [current, ...others] = config.pepperFingerprints.map(pepperIdOf);
  if (others.length > 0)
    log.warn(
      `HASH_PEPPER names two peppers: ${current} hashes, and what is under ${others.join()} is still verified. ` +
        "Drop the second one when npm run pepper -- status says that it may be (docs/operations.md).",
    );
}

/** Another HASH_PEPPER than the database's. */
export class PepperError extends OperatorError {
  readonly fault = "HASH_PEPPER is not the one that this database's passwords were hashed with: nobody could sign in.";
  constructor() {
    super();
    this.message =
      `${this.fault} Restore the one that belongs to the database; back it up with the database. ` +
      "If it is lost, every password must be reset; to go on with the new one, run as the migrator: " +
      "set role latchkey_owner; update private.installation set pepper_fingerprint = null;";
  }
}

/**
 * Refuses to start in production on a database that accepts what production refuses, such as test numbers with fixed
 * codes.
 */
async function checkProduction({ query, config }: Options): Promise<void> {
  if (!config.production) return;
  const { rows } = await query<{ same: boolean }>(`select startup.migrated_for_production() as same`);
  if (rows[0]?.same) return;
  throw new OperatorError(
    "The database was last migrated without NODE_ENV=production, so rules of production are not in force in it. " +
      "Run: NODE_ENV=production npm run db:migrate",
  );
}

/** Lets the database compare claims with the issuer of our tokens. */
async function storeIssuer({ query, config }: Options): Promise<void> {
  if (config.JWT_ISSUER !== undefined) await query("select startup.store_issuer($1)", [config.JWT_ISSUER]);
}

interface RoleCheck {
  query: pg.Pool["query"];
  log: Log;
  config: { production: boolean };
  /** Roles that this one may become, because requests run as them. */
  mayBecome?: string[];
}

/**
 * Refuses, in production, a role with more rights than requests need: the rules would not apply to it. The second login
 * role of a program becomes the first one, and whoever has its password becomes itself again by "set role none".
 */
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
                where g.oid <> r.oid and pg_has_role(r.oid, g.oid, 'member') and g.rolname <> all ($1::name[] || current_user)
              ) end
            ], null) as faults
     from pg_catalog.pg_roles r where r.rolname in (current_user, session_user)
     order by r.rolname`,
    [mayBecome],
  );
  const found = rows.find(({ faults }) => faults.length > 0);
  if (!found) return;
  const message = `The database role ${found.role} ${found.faults.join(" and ")}: it must not.`;
  if (config.production) throw new OperatorError(message);
  log.warn(message);
}

/** Warns if PostgreSQL logs bind parameters, which hold codes and keys. Only a superuser can change that. */
async function warnOfLoggedParameters({ query, log }: Options): Promise<void> {
  const { rows } = await query<{ may_log: boolean }>(
    `select current_setting('log_parameter_max_length_on_error') <> '0'
            or current_setting('log_parameter_max_length') <> '0' and (
              current_setting('log_statement') = 'all' or current_setting('log_min_duration_statement') <> '-1'
              or current_setting('log_min_duration_sample') <> '-1' or current_setting('log_transaction_sample_rate')::float8 > 0
            ) as may_log`,
  );
  if (!rows[0]?.may_log) return;
  log.warn(
    "PostgreSQL may write bind parameters, one-time passwords among them, to its log. " +
      "As superuser run: alter system set log_parameter_max_length = 0; " +
      "alter system set log_parameter_max_length_on_error = 0; select pg_reload_conf();",
  );
}
