import { execFile } from "node:child_process";
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { readSql } from "../../db/sql_files.ts";
import {
  ensureDatabase,
  type RunningPostgres,
  startRecovery,
  startThrowaway,
  viaSocket,
} from "../../embedded/index.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import type { Backup, DumpBackup, RepositoryBackup } from "./restore_arguments.ts";

const maxOutputBytes = 64 * 1024 * 1024;

export interface RestoredCluster {
  postgres: RunningPostgres;
  /** Of the restored database. */
  superuserUrl: string;
  migratorUrl: string;
}

/** Restores a backup in a throw-away cluster. @throws OperatorError if that fails; the cluster is gone then */
export async function restoreBackup(backup: Backup): Promise<RestoredCluster> {
  if (backup.kind === "dump") return restoreDump(backup);
  const postgres = await startRecovery((data, run) =>
    run("pgbackrest", pgbackrestArguments(backup, data)).then(noop),
  ).catch(explainMissing("pgbackrest", "install pgBackRest (Debian: apt-get install pgbackrest)"));
  return orStop(postgres, () => findDatabase(postgres, backup));
}

async function restoreDump({ path, database }: DumpBackup): Promise<RestoredCluster> {
  requireArchive(path);
  const postgres = await startThrowaway();
  return orStop(postgres, async () => {
    const migratorUrl = await ensureDatabase(postgres, { role: "latchkey_migrator", password: "throw-away", database });
    // Without the roles pg_restore drops every owner, right and policy.
    await runSql(migratorUrl, readSql("roles.sql"));
    const superuserUrl = urlOf(postgres.superuserUrl, database);
    await runPgRestore(superuserUrl, path);
    return { postgres, superuserUrl, migratorUrl };
  });
}

async function orStop<T>(postgres: RunningPostgres, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** A dump in plain SQL is for psql, and pg_restore says so with an error that helps nobody. */
function requireArchive(path: string): void {
  if (statSync(path).isDirectory()) return;
  const file = openSync(path, "r");
  const start = Buffer.alloc(262);
  readSync(file, start);
  closeSync(file);
  if (start.toString("latin1").startsWith("PGDMP") || start.subarray(257).toString() === "ustar") return;
  throw new OperatorError(`${path} is no archive of pg_dump: make it by pg_dump -Fc.`);
}

async function runPgRestore(url: string, path: string): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const own = join(process.env.LATCHKEY_POSTGRES_BIN ?? "", "pg_restore");
  const file = process.env.LATCHKEY_POSTGRES_BIN && existsSync(own) ? own : "pg_restore";
  const env = {
    ...process.env,
    LC_ALL: "C",
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
  };
  await promisify(execFile)(file, ["--dbname", pathname.slice(1), path], { env, maxBuffer: maxOutputBytes }).catch(
    (cause: unknown) => {
      const error = cause as Error & { code?: string | number; stderr?: string };
      if (error.code === "ENOENT")
        throw new OperatorError(
          "pg_restore is not found: install PostgreSQL's client programs, or set LATCHKEY_POSTGRES_BIN to a folder that has it.",
        );
      const faults = (error.stderr ?? error.message)
        .split(/^pg_restore: (?=error:)/m)
        // Between major versions, what db/superuser.sql revoked is named otherwise.
        .filter(
          (fault) => fault.startsWith("error:") && !/Command was: REVOKE .* ON FUNCTION pg_catalog\./.test(fault),
        );
      if (faults.length > 0)
        throw new OperatorError(`pg_restore failed; the first of its errors (${faults.length}): ${faults[0]?.trim()}`);
    },
  );
}

function pgbackrestArguments({ stanza, at, config, repository }: RepositoryBackup, data: string): string[] {
  return [
    `--stanza=${stanza}`,
    ...(config === undefined ? [] : [`--config=${config}`]),
    ...(repository === undefined ? [] : [`--repo1-path=${repository}`]),
    `--pg1-path=${data}`,
    // Beside the data: the folders of the running cluster are not ours.
    `--lock-path=${data}.lock`,
    `--tablespace-map-all=${data}.tablespaces`,
    "--log-level-file=off",
    "--log-level-console=warn",
    "--archive-mode=off",
    ...(at === undefined ? [] : ["--type=time", `--target=${at}`, "--target-action=promote"]),
    "restore",
  ];
}

async function findDatabase(
  postgres: RunningPostgres,
  { database, superuser }: RepositoryBackup,
): Promise<RestoredCluster> {
  if (postgres.socketFolder === undefined)
    throw new OperatorError(
      "The path of the temporary folder is too long for a Unix socket: set TMPDIR to a shorter one.",
    );
  const urlAs = (role: string, name: string) =>
    viaSocket(
      `postgres://${encodeURIComponent(role)}@127.0.0.1:${postgres.port}/${encodeURIComponent(name)}`,
      postgres.socketFolder,
    );
  const client = new pg.Client({ connectionString: urlAs(superuser, "postgres") });
  await client.connect().catch((cause: unknown) => {
    const { message } = cause as Error;
    throw new OperatorError(
      `The restored cluster refused ${superuser} (${message}): name its superuser by --superuser.`,
    );
  });
  try {
    const { rows } = await client.query<{ owner: string }>(
      "select pg_get_userbyid(datdba) as owner from pg_database where datname = $1",
      [database],
    );
    if (!rows[0]) throw new OperatorError(`The restored cluster has no database ${database}: name it by --database.`);
    return { postgres, superuserUrl: urlAs(superuser, database), migratorUrl: urlAs(rows[0].owner, database) };
  } finally {
    await client.end();
  }
}

export async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

function urlOf(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(database)}`;
  return changed.href;
}

const noop = () => undefined;

const explainMissing =
  (program: string, remedy: string) =>
  (cause: unknown): never => {
    const error = cause as NodeJS.ErrnoException;
    throw error.code === "ENOENT" && error.path === program
      ? new OperatorError(`${program} is not found: ${remedy}.`, { cause: error })
      : error;
  };
