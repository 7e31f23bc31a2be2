import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migratorConfig } from "../config/config.ts";
import { migrate } from "../db/migrate.ts";
import { ensureDatabase, pgtapExtensionPath, startThrowaway } from "../embedded/index.ts";
import { findSql, readSql } from "../db/sql_files.ts";
import { startPgbouncer } from "./pgbouncer.ts";
import { databaseOf } from "./urls.ts";

/** What a test process knows of the throw-away PostgreSQL that all of them share. */
export interface TestCluster {
  superuserUrl: string;
  /** The connection of the migrator, of the template database. */
  migratorUrl: string;
  /** Home with the passwords of the log-in roles, which are cluster-wide. */
  home: string;
  /** The path of PostgreSQL's own log. */
  log: string;
  /** A PgBouncer before it, with LATCHKEY_TEST_PGBOUNCER=1. */
  poolerUrl: string | undefined;
}

declare module "vitest" {
  interface ProvidedContext {
    cluster: TestCluster;
  }
}

const role = "latchkey_migrator";
const password = "throw-away";

/**
 * One throw-away PostgreSQL for the run: a migrated template database, from which each test file takes its own copy,
 * and one with pgTAP. LATCHKEY_POSTGRES_BIN names another version's programs.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), "latchkey-secrets-"));
  const postgres = await startThrowaway({ settings: await settings() });
  let pooler: { url: string; stop: () => Promise<void> } | undefined;
  const stop = async () => {
    await pooler?.stop();
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const migratorUrl = await ensureDatabase(postgres, { role, password, database: "template" });
    const pgtapUrl = await ensureDatabase(postgres, { role, password, database: "pgtap" });
    const env = { LATCHKEY_HOME: home };
    await migrate(migratorConfig({ ...env, DATABASE_URL: migratorUrl }));
    await migrate(migratorConfig({ ...env, DATABASE_URL: pgtapUrl }));
    await installPgtap(databaseOf(postgres.superuserUrl, "pgtap"));
    if (process.env.LATCHKEY_TEST_PGBOUNCER) pooler = await startPgbouncer(postgres.superuserUrl, home);
    const { superuserUrl, log } = postgres;
    project.provide("cluster", { superuserUrl, migratorUrl, home, log, poolerUrl: pooler?.url });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function settings(): Promise<Record<string, string>> {
  const common = { max_connections: "300" };
  // Before 18 an extension is only found where PostgreSQL itself is installed.
  if (process.env.LATCHKEY_POSTGRES_BIN) return common;
  const path = await pgtapExtensionPath(join(import.meta.dirname, "..", ".cache"));
  return { ...common, extension_control_path: `$system:${path}` };
}

async function installPgtap(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("create schema tap; create extension pgtap schema tap");
    // In any order: what a function calls is looked for when it runs.
    await client.query("set check_function_bodies to off");
    for (const path of ["tests/helpers/schema.sql", ...findSql("tests/helpers/*.sql")])
      await client.query(readSql(path));
  } finally {
    await client.end();
  }
}
