import type pg from "pg";
import type { MigratorConfig } from "../../config/config.ts";
import { withLogin } from "../../config/database_url.ts";
import { parseDatabaseAddress } from "../../runtime/database/address.ts";
import { DatabaseClient } from "../../runtime/database/client.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import { databaseIdentity } from "./database_identity.ts";

/** SQLSTATE for a wrong password, and for a role that does not exist. */
export const wrongPassword = "28P01";
const permissionDenied = "42501";

/** A login role and the password that the migration gives it. */
export interface Login {
  /** Name of the environment variable. */
  variable: string;
  url: string;
  role: string;
  password: string;
}

/**
 * The login of each process: as its role, or as the second one (docs/operations.md, "Passwords of the database roles").
 */
export function logins(config: MigratorConfig): Login[] {
  return (["SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "WORKER_DATABASE_URL"] as const).map((variable) => {
    const url = config[variable];
    // Decoded as the processes do, which accept a password with a bare %.
    const { user: role = "", password } = parseDatabaseAddress(url).parameters;
    const expected = `latchkey_${variable.split("_")[0]?.toLowerCase()}`;
    if (![expected, `${expected}_b`].includes(role))
      throw new OperatorError(`${variable} must log in as ${expected} or ${expected}_b, not as ${role}.`);
    return { variable, url, role, password: typeof password === "string" ? password : "" };
  });
}

/**
 * Refuses addresses that lead to another database, or nowhere, before anything changes: roles are cluster-wide. It logs
 * in as the address's role, and if that fails as the migrator. If both fail, checkPasswords (login_roles.ts) checks the
 * address later.
 */
export async function refuseForeignAddresses(client: pg.Client, config: MigratorConfig): Promise<void> {
  const expected = await identityOf(client);
  for (const login of logins(config)) {
    const { variable, url } = login;
    let answer = await logIn(url);
    requirePassword(login, answer);
    requireReachable(login, answer);
    if (answer.failure) {
      answer = await logIn(withLogin(url, client.user ?? "", client.password ?? ""));
      // A missing role is reported before a missing database.
      requireReachable(login, answer);
      // The migrator may connect to the database of DATABASE_URL.
      if (answer.failure?.code === permissionDenied) throw leadsElsewhere(variable);
    }
    if (answer.identity !== undefined && answer.identity !== expected) throw leadsElsewhere(variable);
  }
}

function requirePassword({ variable, role, password }: Login, { failure }: Answer): void {
  if (!failure || password !== "") return;
  if (failure.code === wrongPassword || failure.message.includes("client password"))
    throw new OperatorError(`${variable} has no password, and ${role} needs one.`);
}

/**
 * Refuses every failure except a refused login: the migration may still grant the right or set the password that it
 * lacks, and settings of a role, such as a time-out that ends its every statement.
 */
function requireReachable({ variable }: Login, { failure }: Answer): void {
  if (!failure || /^28|^42501$|^57014$/.test(failure.code ?? "")) return;
  if (failure.message.includes("client password")) return;
  throw new OperatorError(
    `The database of ${variable} cannot be reached: ${failure.message || failure.code}. ` +
      // For a role that does not exist yet, a pooler lets the login wait, or refuses it because its own list of users
      // lacks the role.
      "If the address is a pooler's, give db:migrate the database's own.",
    { cause: failure },
  );
}

export const leadsElsewhere = (variable: string) =>
  new OperatorError(`${variable} leads to another database than DATABASE_URL: it must be the same.`);

export async function identityOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ identity: string }>(databaseIdentity);
  return rows[0]?.identity;
}

/** The identity of the database that accepted the login, or the reason why the login failed. */
interface Answer {
  identity?: string | undefined;
  failure?: pg.DatabaseError;
}

/** Logs in and returns the identity of the database. */
export async function logIn(connectionString: string): Promise<Answer> {
  const client = new DatabaseClient({ connectionString, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return { identity: await identityOf(client) };
  } catch (error) {
    return { failure: error as pg.DatabaseError };
  } finally {
    await client.end().catch(() => undefined);
  }
}
