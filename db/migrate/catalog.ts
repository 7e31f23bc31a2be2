import type pg from "pg";
import { OperatorError } from "../../runtime/operator_error.ts";

const restoreAgain =
  "A restore loses the owners of objects whose roles do not exist yet: restore again into an empty database, after db/roles.sql (docs/operations.md).";
const onPurpose = "If you changed one on purpose, delete its line from private.catalog_line.";

/** A line in which the catalog differs from what the last migration left there. */
export interface Change {
  line: string;
  /** Missing or changed; otherwise somebody else added it. */
  is_lost: boolean;
  /** Whether applying the files below db/functions and db/policies repairs it. */
  is_of_files: boolean;
  /** Repairs what is lost, or takes away what was added. */
  statement: string | null;
}

/**
 * Refuses a database that was restored before its roles were created: a migration cannot repair objects of another
 * owner.
 */
export async function refuseForeignOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    `select c.relowner::regrole::text as owner from pg_catalog.pg_class c
     where c.relnamespace = to_regnamespace('migration') and c.relname = 'fingerprint' and c.relowner::regrole::text <> 'latchkey_owner'`,
  );
  if (!rows[0]) return;
  throw new OperatorError(`Latchkey's tables belong to ${rows[0].owner} and not to latchkey_owner. ${restoreAgain}`);
}

/** Refuses to start a process whose database lacks rights which the last migration left in force. */
export function refuseMissingRights(lines: string[]): void {
  if (lines.length === 0) return;
  throw new OperatorError(
    `Rights of Latchkey's roles are missing or changed: ${listed(lines)}. ` +
      `Run: npm run db:migrate, which repairs what it can and names the rest. ${onPurpose}`,
  );
}

/**
 * Compares the catalog with what the last migration left there. Called as latchkey_owner. None for a database that was
 * never migrated.
 */
export async function catalogChanges(client: pg.Client): Promise<Change[]> {
  const { rows: found } = await client.query(
    `select from pg_catalog.pg_proc p where p.pronamespace = to_regnamespace('private') and p.proname = 'catalog_changes'`,
  );
  if (found.length === 0) return [];
  return (await client.query<Change>("select * from private.catalog_changes()")).rows;
}

/**
 * Repairs what is lost by its statements, inside the caller's transaction. What a file makes may still be missing then:
 * applying the files repairs it. Result: one line for each repair.
 * @throws OperatorError that names what cannot be repaired, with the statement that failed
 */
export async function repairCatalog(client: pg.Client, changes: Change[]): Promise<string[]> {
  const lost = changes.filter(({ is_lost: isLost }) => isLost);
  const faults = new Map<string, string>();
  let waiting = lost;
  // One repair may need another: a foreign key the unique constraint, a policy the function that it calls.
  for (let before = Infinity; waiting.length < before;) {
    before = waiting.length;
    const failed: Change[] = [];
    for (const change of waiting) {
      const fault = await repair(client, change);
      if (fault === undefined) continue;
      faults.set(change.line, fault);
      failed.push(change);
    }
    waiting = failed;
  }
  // A repair may have brought back more than its own line.
  const still = waiting.length === 0 ? [] : await catalogChanges(client);
  const hopeless = still.filter(({ line, is_of_files: isOfFiles }) => faults.has(line) && !isOfFiles);
  if (hopeless.length === 0) return lost.map(({ line }) => `repaired: ${line}`);
  const sentences = hopeless.map(({ line, statement }) =>
    statement === null ? line : `${line} (${faults.get(line)}; as superuser: ${statement})`,
  );
  const isOwner = hopeless.some(({ line }) => line.endsWith(" is owned by latchkey_owner"));
  throw new OperatorError(
    `What the last migration made is missing or changed, and cannot be repaired: ${listed(sentences)}. ` +
      `${isOwner ? restoreAgain : "Where data are lost, restore the backup."} ${onPurpose}`,
  );
}

/** Returns why the statement failed. */
async function repair(client: pg.Client, { statement }: Change): Promise<string | undefined> {
  if (statement === null) return "no statement repairs it";
  await client.query("savepoint repair");
  try {
    await client.query(statement);
    return undefined;
  } catch (error) {
    await client.query("rollback to savepoint repair");
    return (error as Error).message;
  } finally {
    await client.query("release savepoint repair");
  }
}

/**
 * Names the rights and policies that somebody else gave to our roles, and that applying the files has not taken away.
 */
export async function nameForeignRights(
  client: pg.Client,
  changes: Change[],
  say: (line: string) => void,
): Promise<void> {
  const named = changes.filter(({ is_lost: isLost, statement }) => !isLost && statement !== null);
  const lines = named.map(({ line }) => line);
  const { rows } = await client.query<{ line: string }>(
    "select f.line from private.catalog_in_force() f where f.line = any ($1)",
    [lines],
  );
  const inForce = new Set(rows.map(({ line }) => line));
  for (const { line, statement } of named)
    if (inForce.has(line)) say(`warning: no migration made this: ${line}. To take it away: ${statement};`);
}

/** Stores what the catalog has now, without what somebody else added before. */
export async function rememberCatalog(client: pg.Client, changes: Change[]): Promise<void> {
  const others = changes.filter(({ is_lost: isLost }) => !isLost).map(({ line }) => line);
  await client.query("select private.remember_catalog($1)", [others]);
}

const listed = (lines: string[]): string =>
  lines.slice(0, 3).join("; ") + (lines.length > 3 ? `; and ${lines.length - 3} more` : "");
