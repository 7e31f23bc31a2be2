import type pg from "pg";
import { OperatorError } from "../../runtime/operator_error.ts";

/**
 * Explains why a connection or its first statement failed.
 * @param variable names the address
 * @throws OperatorError with the explanation
 */
export function explainFailure(error: unknown, variable?: string): never {
  // The worker's pool wraps an error and changes its code so that the queue retries; the cause has the original code.
  const { cause = error } = error as Error;
  const sentence = whyNot(cause as pg.DatabaseError);
  throw new OperatorError(variable === undefined ? sentence : `${variable}: ${sentence}`, { cause: error });
}

function whyNot({ code = "", message }: pg.DatabaseError): string {
  if (code.startsWith("28"))
    return (
      `The database refused the login (${message}). If the passwords were rotated, this address is the old one: give this process the new one, ` +
      "and never migrate with the old ones (docs/operations.md#passwords-of-the-database-roles). Otherwise, if the role's password " +
      "differs from the one in the address, npm run db:migrate sets it, given the same addresses."
    );
  // PgBouncer's code for a login that it refuses itself. PostgreSQL has it for a client that does not speak its
  // protocol.
  if (code === "08P01")
    return (
      `The database cannot be reached: ${message}. If the address is a pooler's: its list of users lacks the address's role, or has ` +
      "another password (correct it, and reload the pooler: docs/installation.md#pgbouncer), or the pooler cannot log in to PostgreSQL."
    );
  if (code === "42501")
    return (
      `The database refuses the role (${message}). Either the address names another role than the one that was made for this process, ` +
      "or rights are missing. Run: npm run db:migrate, which checks both."
    );
  // Every role may change its own settings.
  if (code === "57014" || code === "53300")
    return (
      `The database ended the first statement (${message}). If PostgreSQL is not overloaded, the role has settings or a limit of its own: ` +
      "npm run db:migrate sets its settings again, and \\du in psql shows a limit of its connections."
    );
  if (code === "25006")
    return `The database is read-only (${message}): the address has to lead to the primary. After a failover, start again once there is a primary.`;
  // No such schema, function or database: the database is not migrated yet.
  if (/^(42|3F|3D)/.test(code)) return `The database is not migrated (${message}). Run: npm run db:migrate`;
  return `The database cannot be reached: ${message || code}.`;
}
