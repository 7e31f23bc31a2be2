import { join } from "node:path";
import { runner } from "node-pg-migrate";
import type pg from "pg";
import { OperatorError } from "../../runtime/operator_error.ts";
import { findSql, migrationName, readSql, sha256 } from "../sql_files.ts";

/**
 * Refuses a database that was migrated by a newer version or by one before the first release, or whose applied
 * migrations were edited.
 */
export async function refuseForeignHistory(client: pg.ClientBase, directory: string): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('migration.fingerprint') is not null as there",
  );
  if (!rows[0]?.there) return;
  const applied = await client.query<{ name: string; sha256: string | null }>(
    `select a.name, f.sha256 from migration.applied a left join migration.fingerprint f on f.name = a.name order by a.id`,
  );
  const known = new Map(
    findSql("migrations/*.sql", directory).map((path) => [migrationName(path), sha256(readSql(path, directory))]),
  );
  for (const { name, sha256: recorded } of applied.rows) {
    const current = known.get(name);
    if (current === undefined) {
      const from = name > String([...known.keys()].at(-1)) ? "a newer version" : "a version before the first release";
      throw new OperatorError(
        `The database is of ${from}: it has migration ${name}, which this version does not have.`,
      );
    }
    if (recorded !== null && recorded !== current) {
      throw new OperatorError(
        `db/migrations/${name}.sql was edited after it was applied: restore it and add a new migration.`,
      );
    }
  }
}

/** Whether a migration is missing in a database that has some. */
export async function isBehind(client: pg.ClientBase, directory: string): Promise<boolean> {
  const { rows } = await client.query<{ behind: boolean }>(
    "select exists (select unnest($1::text[]) except select a.name from migration.applied a) as behind",
    [findSql("migrations/*.sql", directory).map(migrationName)],
  );
  return rows[0]?.behind ?? false;
}

/** Comments on the columns of two tables that no migration creates: the migration library's and this runner's. */
const columnComments = `
  comment on column migration.applied.id is 'Order in which the migrations were applied';
  comment on column migration.applied.name is 'Name of the file in db/migrations';
  comment on column migration.applied.run_on is 'When it was applied';
  comment on column migration.fingerprint.name is 'Name of the migration, or of what else db:migrate applied last';
  comment on column migration.fingerprint.sha256 is 'SHA-256 of its text'`;

/** Applies the missing migrations inside the caller's transaction. Result: their names. */
export async function applyMigrations(client: pg.Client, directory: string): Promise<string[]> {
  await client.query("create schema if not exists migration");
  await client.query("create table if not exists migration.fingerprint (name text primary key, sha256 text not null)");
  const applied = await run(client, directory);
  for (const { name } of applied)
    await writeFingerprint(client, name, sha256(readSql(`migrations/${name}.sql`, directory)));
  if (applied.length > 0) {
    await client.query("alter table migration.applied enable row level security");
    await client.query("alter table migration.fingerprint enable row level security");
    await client.query(columnComments);
  }
  return applied.map(({ name }) => name);
}

async function run(client: pg.Client, directory: string): Promise<{ name: string }[]> {
  // The library logs which migration it begins, and its error does not name the one that failed.
  let begun: string | undefined;
  const info = (line: string) => (begun = /^### MIGRATION (\S+)/.exec(line)?.[1] ?? begun);
  try {
    return await runner({
      dbClient: withinTransaction(client),
      dir: join(directory, "migrations"),
      direction: "up",
      migrationsSchema: "migration",
      migrationsTable: "applied",
      singleTransaction: true,
      noLock: true,
      checkOrder: true,
      logger: { info, warn: () => undefined, error: () => undefined },
    });
  } catch (error) {
    if (begun === undefined) throw error;
    throw new OperatorError(`db/migrations/${begun}.sql: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * The library opens its own transaction. Inside ours that becomes a savepoint, so that tables and functions commit
 * together.
 */
function withinTransaction(client: pg.Client): pg.Client {
  const nested: Record<string, string> = {
    BEGIN: "savepoint migrations",
    COMMIT: "release savepoint migrations",
    ROLLBACK: "rollback to savepoint migrations",
  };
  const query = (text: string, values?: unknown[]) => client.query(nested[text] ?? text, values);
  return { query } as unknown as pg.Client;
}

export async function readFingerprint(client: pg.Client, name: string): Promise<string | undefined> {
  const { rows } = await client.query<{ sha256: string }>("select sha256 from migration.fingerprint where name = $1", [
    name,
  ]);
  return rows[0]?.sha256;
}

export async function writeFingerprint(client: pg.Client, name: string, fingerprint: string): Promise<void> {
  await client.query(
    `insert into migration.fingerprint (name, sha256) values ($1, $2)
     on conflict (name) do update set sha256 = excluded.sha256`,
    [name, fingerprint],
  );
}
