import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migratorConfig, serverConfig } from "../config/config.ts";
import { migrate } from "../db/migrate.ts";
import { ensureDatabase, pgtapExtensionPath, startThrowaway } from "../embedded/index.ts";
import { startPgbouncer } from "./pgbouncer.ts";
import { installPgtap } from "./pgtap_runner.ts";
import { databaseOf } from "./urls.ts";

/** What each test process receives about the PostgreSQL cluster that all of them share. */
export interface TestCluster {
  superuserUrl: string;
  /** URL of the template database for the migrator's role. */
  migratorUrl: string;
  pgtapDatabases: string[];
  /** LATCHKEY_HOME: holds the passwords of the login roles, which are cluster-wide. */
  home: string;
  /** Path of PostgreSQL's log. */
  log: string;
  /** URL of a PgBouncer in front of the cluster; undefined unless LATCHKEY_TEST_PGBOUNCER is set. */
  poolerUrl: string | undefined;
}

declare module "vitest" {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

const role = "latchkey_migrator";
const password = "throw-away";
const pgtapCopies = 2;

/**
 * Starts one temporary PostgreSQL cluster for the whole run, with a migrated template database, which test files copy, and
 * a database with pgTAP. LATCHKEY_POSTGRES_BIN selects another PostgreSQL version.
 * @returns the teardown function
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), "latchkey-secrets-"));
  const postgres = await startThrowaway({ settings: await createSettings() });
  let pooler: { url: string; stop: () => Promise<void> } | undefined;
  const stop = async () => {
    await pooler?.stop();
    reportCrashes(postgres.log);
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const migratorUrl = await ensureDatabase(postgres, { role, password, database: "template" });
    const pgtapUrl = await ensureDatabase(postgres, { role, password, database: "pgtap" });
    const env = { LATCHKEY_HOME: home };
    await migrate(migratorConfig({ ...env, DATABASE_URL: migratorUrl }));
    await postponeCleanUp(databaseOf(postgres.superuserUrl, "template"));
    await migrate(migratorConfig({ ...env, DATABASE_URL: pgtapUrl }));
    // Creates the shared secrets here: a test process that created the pepper itself would rename it when a test has it refused.
    serverConfig({ ...env, DATABASE_URL: migratorUrl });
    await installPgtap(databaseOf(postgres.superuserUrl, "pgtap"));
    const pgtapDatabases = ["pgtap", ...(await copyDatabase(postgres.superuserUrl, "pgtap", pgtapCopies))];
    if (process.env.LATCHKEY_TEST_PGBOUNCER) pooler = await startPgbouncer(postgres.superuserUrl, home);
    const { superuserUrl, log } = postgres;
    project.provide("cluster", {
      pgtapDatabases,
      superuserUrl,
      migratorUrl,
      home,
      log,
      poolerUrl: pooler?.url,
    });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function copyDatabase(url: string, original: string, copies: number): Promise<string[]> {
  const names = Array.from({ length: copies }, (_, index) => `${original}_${index + 2}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const name of names) await client.query(`create database ${name} template ${original}`);
  await client.end();
  return names;
}

/** Prints what the log says of crashes: tests survive one by reconnecting, or fail with a lost connection whose cause nobody sees. */
function reportCrashes(log: string): void {
  const crashes = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => /PANIC:|was terminated by signal|exited with exit code [^01]/.test(line));
  if (crashes.length > 0) console.error(`PostgreSQL crashed during the tests:\n${crashes.join("\n")}`);
}

/** Postpones the hourly clean-up in all copies of the database: it would change rows in the middle of a test. */
async function postponeCleanUp(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('clean_up', now(), now() + interval '1 day')`,
  );
  await client.end();
}

async function createSettings(): Promise<Record<string, string>> {
  const common = { max_connections: "300" };
  // PostgreSQL before 18 has no extension_control_path: pgTAP must be installed in its own folder.
  if (process.env.LATCHKEY_POSTGRES_BIN) return common;
  const path = await pgtapExtensionPath(join(import.meta.dirname, "..", ".cache"));
  return { ...common, extension_control_path: `$system:${path}` };
}
