import type pg from "pg";
import type { MigratorConfig } from "../../config/config.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import { scramVerifier } from "../../runtime/database/scram.ts";
import { identityOf, leadsElsewhere, logIn, logins, wrongPassword, type Login } from "./login_addresses.ts";

const permissionDenied = "42501";
const queryCanceled = "57014";

/**
 * Refuses roles that belong to the installation in another database and do not log in with our addresses: a new
 * password would lock its processes out, and on PostgreSQL 15 any role with CREATEROLE may join latchkey_owner. Called
 * before anything changes, because roles are cluster-wide.
 */
export async function refuseForeignRoles(client: pg.Client, config: MigratorConfig): Promise<void> {
  const { rows } = await client.query<{ database: string }>(
    `select distinct d.datname as database
     from pg_catalog.pg_roles r
     join pg_catalog.pg_shdepend s on s.refclassid = 'pg_authid'::regclass and s.refobjid = r.oid
     join pg_catalog.pg_database d on d.oid = s.dbid
     where r.rolname = 'latchkey_owner' and d.datname <> current_database()
     order by 1`,
  );
  if (rows.length === 0) return;
  for (const { variable, url } of logins(config)) {
    const { failure } = await logIn(url);
    // In a new database the role may not connect yet, and its settings may end every statement: both show that its
    // password was right.
    if (!failure || failure.code === permissionDenied || failure.code === queryCanceled) continue;
    const reason =
      failure.code === wrongPassword
        ? `${variable} has another password than they have`
        : `the role of ${variable} cannot log in (${failure.message})`;
    throw new OperatorError(
      `The roles of this cluster belong to the installation in database ${rows.map(({ database }) => database).join(", ")}, ` +
        `and ${reason}. One installation fits into a cluster: use another cluster, ` +
        "or the same passwords if both databases are one operator's, or drop the other database if it is no longer used.",
    );
  }
}

/**
 * Refuses roles that a rotation of the passwords has retired: with the addresses of before it a migration would set
 * passwords again that may have leaked. Nobody but a superuser sees whether a role has a password; NOLOGIN everybody
 * does.
 */
export async function refuseRetiredRoles(client: pg.Client, config: MigratorConfig): Promise<void> {
  const all = logins(config);
  const { rows } = await client.query<{ role: string }>(
    "select r.rolname as role from pg_catalog.pg_roles r where r.rolname = any ($1) and not r.rolcanlogin",
    [all.map(({ role }) => role)],
  );
  const retired = all.filter((login) => rows.some(({ role }) => role === login.role));
  if (retired.length === 0) return;
  throw new OperatorError(
    `A rotation of the passwords has retired ${retired.map(({ role, variable }) => `${role} (${variable})`).join(", ")}: ` +
      "migrate with the addresses that replaced these. For the next rotation, with new passwords in these addresses, run first as the migrator: " +
      `${retired.map(({ role }) => `alter role ${role} login;`).join(" ")} (docs/operations.md#passwords-of-the-database-roles)`,
  );
}

/**
 * Returns the roles that do not log in with the passwords of their addresses. Changes nothing.
 * @throws OperatorError for an address whose role cannot log in for another reason
 */
export async function findNewPasswords(config: MigratorConfig): Promise<Login[]> {
  const found: Login[] = [];
  for (const login of logins(config)) {
    const { failure } = await logIn(login.url);
    if (failure && failure.code !== wrongPassword)
      throw new OperatorError(`The role of ${login.variable} cannot log in (${failure.message}).`, {
        cause: failure,
      });
    if (failure) found.push(login);
  }
  return found;
}

/**
 * Refuses to replace passwords that nobody asked to replace: outside production a wrong LATCHKEY_HOME has others, or
 * none and makes some, and the running processes could open no connection any more. Before the first migration nobody
 * uses the roles.
 */
export async function refuseToCutOff(client: pg.Client, config: MigratorConfig, found: Login[]): Promise<void> {
  const derived = found.filter(({ variable }) => config.derivedAddresses.includes(variable));
  if (derived.length === 0) return;
  const { rows } = await client.query<{ migrated: boolean; used: number }>(
    `select to_regclass('migration.fingerprint') is not null as migrated,
            (select count(*)::integer from pg_catalog.pg_stat_activity a where a.usename = any ($1)) as used`,
    [derived.map(({ role }) => role)],
  );
  if (!rows[0]?.migrated) return;
  throw new OperatorError(
    `${config.home} does not have the passwords of ${derived.map(({ role }) => role).join(", ")}. New ones would cut off the servers and ` +
      `workers of this installation (connections now: ${rows[0].used}). Set LATCHKEY_HOME to the folder that they use, or ` +
      `${derived.map(({ variable }) => variable).join(", ")} to their addresses. Addresses with new passwords replace the old ones.`,
  );
}

/** Sets the password of a login role, as a SCRAM verifier. */
export async function setPassword(client: pg.Client, { role, password }: Login): Promise<void> {
  const verifier = client.escapeLiteral(scramVerifier(password));
  try {
    await client.query(`alter role ${role} password ${verifier}`);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== permissionDenied) throw error;
    throw new OperatorError(
      `${role} does not log in with the password of its address, and the migrator ${client.user} may not change it. Correct the address, or ` +
        `run as superuser (needed once after an upgrade from PostgreSQL 15): grant ${role} to ${client.user} with admin option.`,
      { cause: error },
    );
  }
}

/**
 * Logs in with each new password. Where the migrator itself cannot log in (it may have no password), this is the first
 * moment at which an address that leads to another database can be detected.
 */
export async function checkPasswords(client: pg.Client, set: Login[]): Promise<void> {
  const expected = await identityOf(client);
  for (const { variable, url, role } of set) {
    const { identity, failure } = await logIn(url);
    if (failure)
      throw new OperatorError(
        `The password of ${role} was set, and ${variable} still does not log in (${failure.message}): does it lead to the database of DATABASE_URL?`,
        { cause: failure },
      );
    if (identity !== expected) throw leadsElsewhere(variable);
  }
}
