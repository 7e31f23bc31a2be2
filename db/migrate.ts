import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runMigrations as installQueue } from "graphile-worker";
import pg from "pg";
import { tlsWarnings, withParameters } from "../config/database_url.ts";
import { migratorConfig, type MigratorConfig } from "../config/config.ts";
import { parseDatabaseAddress } from "../runtime/database/address.ts";
import { DatabaseClient } from "../runtime/database/client.ts";
import { OperatorError, refuseArguments, runMain } from "../runtime/operator_error.ts";
import {
  catalogChanges,
  type Change,
  nameForeignRights,
  refuseForeignOwner,
  rememberCatalog,
  repairCatalog,
} from "./migrate/catalog.ts";
import { applyMigrations, isBehind, refuseForeignHistory } from "./migrate/history.ts";
import { applyPresent, hasChangedParts } from "./migrate/present.ts";
import { refuseForeignAddresses } from "./roles/login_addresses.ts";
import {
  checkPasswords,
  findNewPasswords,
  refuseForeignRoles,
  refuseRetiredRoles,
  refuseToCutOff,
  setPassword,
} from "./roles/login_roles.ts";
import { refuseForeignTables } from "./migrate/foreign_tables.ts";
import { refuseForeignMigrator } from "./migrate/migrator.ts";
import { ensureRoles } from "./roles/roles.ts";
import { settleRestore } from "./migrate/restore.ts";
import { storeEnvironmentSettings } from "./migrate/settings.ts";
import { lockMigrations } from "./migrate/migration_lock.ts";
import { lockTables } from "./migrate/table_locks.ts";
import { sqlDirectory } from "./sql_files.ts";

/**
 * Brings a database to this version: roles and queue, then in one transaction passwords, repairs, migrations,
 * functions, policies and settings, so that a failure leaves it as it was. A second run changes nothing; any number may
 * run at once.
 */
export async function migrate(
  config: MigratorConfig,
  say: (line: string) => void = () => undefined,
  directory = sqlDirectory,
  lockTimeoutMs = 60_000,
): Promise<void> {
  const client = new DatabaseClient({
    connectionString: config.DATABASE_URL,
    application_name: "latchkey migrate",
    connectionTimeoutMillis: 30_000,
  });
  // A lost connection fails the query that runs. Without a listener its event would end the process.
  client.on("error", () => undefined);
  client.on("notice", ({ severity, message }) => {
    if (severity === "WARNING") say(`warning: ${message}`);
  });
  for (const warning of tlsWarnings(config)) say(`warning: ${warning}`);
  await client.connect().catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError(`The database of DATABASE_URL cannot be reached: ${message || code}.`, {
      cause: error,
    });
  });
  try {
    // A notice that a migration raises for the operator has this code; PostgreSQL's own ("…, skipping") have others.
    client.on("notice", ({ code, message }) => {
      if (code === "P0001" && message) say(message);
    });
    await lockMigrations(client, lockTimeoutMs);
    await refuseForeignOwner(client);
    await refuseForeignMigrator(client, config, say);
    await refuseForeignHistory(client, directory);
    await refuseRetiredRoles(client, config);
    await refuseForeignAddresses(client, config);
    await refuseForeignRoles(client, config);
    await ensureRoles(client, config);
    const newPasswords = await findNewPasswords(config);
    await refuseToCutOff(client, config, newPasswords);
    await ensureQueue(config.DATABASE_URL);
    const lines: string[] = [];
    await inTransaction(client, async () => {
      // In the same transaction, so that the running processes keep their passwords if the migration fails.
      for (const login of newPasswords) {
        await setPassword(client, login);
        lines.push(`password set: ${login.role}`);
      }
      await client.query("set local role latchkey_owner");
      const changes = await catalogChanges(client);
      if (await isDue(client, directory, changes)) await lockTables(client, lockTimeoutMs);
      lines.push(...(await repairCatalog(client, changes)));
      const applied = await applyMigrations(client, directory);
      applied.push(...(await applyPresent(client, directory, applied.length > 0 || hasChangedRules(changes))));
      await refuseForeignTables(client, directory);
      // Before the first event: its month has a partition.
      await client.query("select private.keep_event_partitions()");
      if (applied.length > 0) lines.push(...(await renumber(client)));
      if (applied.length > 0) lines.push(`migrated: ${applied.join(", ")}`);
      await storeProduction(client, config.production);
      lines.push(...(await settleRestore(client)));
      lines.push(...(await storeEnvironmentSettings(client, config)));
      await nameForeignRights(client, changes, (line) => lines.push(line));
      await rememberCatalog(client, changes);
    });
    lines.forEach(say);
    await checkPasswords(client, newPasswords);
  } finally {
    await client.end();
  }
}

/**
 * Gives stored phones of an older numbering plan their new form, which is the one that the server looks for.
 * Result: how many, and each account that needs a decision. No phone is named, because the lines are logged.
 */
async function renumber(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ account_id: string; holder_id: string | null }>(
    "select * from private.renumber()",
  );
  const left = rows.filter(({ holder_id }) => holder_id !== null);
  const renumbered = rows.length - left.length;
  return [
    ...(renumbered > 0 ? [`renumbered: ${renumbered} phones, whose countries changed their numbering plans`] : []),
    ...left.map(
      ({ account_id, holder_id }) =>
        `not renumbered: account ${account_id}, because account ${holder_id} has the new form of its phone. ` +
        "Ask whose it is, and erase one of them (docs/repair.md#numbering-plans)",
    ),
  ];
}

/**
 * Stores whether this is production, for the rules that are stricter there. It is stored first, because settings are
 * validated by it.
 */
async function storeProduction(client: pg.Client, production: boolean): Promise<void> {
  await client.query(
    `insert into private.installation as i (production) values ($1)
     on conflict on constraint installation_pkey do update
     set production = excluded.production where i.production is distinct from excluded.production`,
    [production],
  );
}

/** Whether applying the files of the present repairs something, or takes away what somebody else gave to our roles. */
const hasChangedRules = (changes: Change[]): boolean =>
  changes.some(({ is_lost: isLost, is_of_files: isOfFiles, statement }) => (isLost ? isOfFiles : statement !== null));

/** Whether there is anything to apply to, or repair in, a database that has been migrated before. */
async function isDue(client: pg.Client, directory: string, changes: Change[]): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "select to_regclass('migration.fingerprint') is not null as there",
  );
  if (!rows[0]?.there) return false;
  return changes.length > 0 || (await isBehind(client, directory)) || (await hasChangedParts(client, directory));
}

/** The queue's schema belongs to latchkey_owner, so that its functions may be called from ours. */
async function ensureQueue(databaseUrl: string): Promise<void> {
  const { options = "" } = parseDatabaseAddress(databaseUrl).parameters;
  const connectionString = withParameters(databaseUrl, { options: `${options} -c role=latchkey_owner` });
  const pool = new pg.Pool({ connectionString, Client: DatabaseClient, max: 1 });
  // The queue requires these listeners; a lost connection makes the query that used it fail.
  pool.on("error", () => undefined);
  pool.on("connect", (connected) => connected.on("error", () => undefined));
  try {
    await refuseUnknownQueue(pool);
    await installQueue({ pgPool: pool });
  } finally {
    await pool.end();
  }
}

/** The latest migration that the installed graphile-worker has. */
const latestQueueMigration = (): number => {
  const entry = createRequire(import.meta.url).resolve("graphile-worker");
  const names = readdirSync(join(dirname(entry), "../sql"));
  return Math.max(...names.map((name) => parseInt(name, 10) || 0));
};

/**
 * A row of a later migration stops graphile-worker with a stack trace, or makes it skip its next migrations.
 * @throws OperatorError that names the row and the statement that deletes it
 */
async function refuseUnknownQueue(pool: pg.Pool): Promise<void> {
  const known = latestQueueMigration();
  const { rows } = await pool.query<{ found: boolean }>(
    "select to_regclass('graphile_worker.migrations') is not null as found",
  );
  if (!rows[0]?.found) return;
  const { rows: unknown } = await pool.query<{ id: number }>(
    "select id from graphile_worker.migrations where id > $1 order by id",
    [known],
  );
  if (unknown.length === 0) return;
  throw new OperatorError(
    `graphile_worker.migrations has ${unknown.map(({ id }) => id).join(", ")}, and the installed graphile-worker ends with ${known}. ` +
      "If a later version of Latchkey migrated this database, run that version. Otherwise the row was forged; delete it as the migrator: " +
      `set role latchkey_owner; delete from graphile_worker.migrations where id > ${known}`,
  );
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    // Ignored: on a lost connection the rollback fails too, and its error would hide the cause.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

if (import.meta.main) {
  await runMain(async () => {
    refuseArguments();
    let lines = 0;
    await migrate(migratorConfig(process.env), (line) => {
      lines++;
      console.log(line);
    });
    if (lines === 0) console.log("Nothing to change: the database has this version.");
  });
}
