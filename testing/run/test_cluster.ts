import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migratorConfig, serverConfig } from "../../config/config.ts";
import { migrate } from "../../db/migrate.ts";
import { ensureDatabase, pgtapExtensionPath, startThrowaway } from "../../embedded/index.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import { startPgbouncer } from "../postgres/pgbouncer.ts";
import { databaseOf } from "../postgres/urls.ts";

/** What each test process receives about the PostgreSQL cluster that all of them share. */
export interface TestCluster {
  superuserUrl: string;
  /** URL of the template database for the migrator's role. */
  migratorUrl: string;
  hasPgtap: boolean;
  /** LATCHKEY_HOME: holds the passwords of the login roles, which are cluster-wide. */
  home: string;
  /** Path of PostgreSQL's log. */
  log: string;
  /** URL of a PgBouncer in front of the cluster; undefined unless LATCHKEY_TEST_PGBOUNCER is set. */
  poolerUrl?: string;
}

const role = "latchkey_migrator";
const password = "throw-away";

/**
 * Starts a temporary PostgreSQL cluster with a migrated template database, which test files copy. LATCHKEY_POSTGRES_BIN
 * selects another PostgreSQL version.
 */
export async function startTestCluster(): Promise<{ cluster: TestCluster; stop: () => Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), "latchkey-secrets-"));
  const pgtap = await findPgtap();
  const postgres = await startThrowaway({ settings: { max_connections: "300", ...pgtap } });
  let pooler: { url: string; stop: () => Promise<void> } | undefined;
  const stop = async () => {
    await pooler?.stop();
    reportCrashes(postgres.log);
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    const migratorUrl = await ensureDatabase(postgres, { role, password, database: "template" });
    const env = { LATCHKEY_HOME: home };
    await migrate(migratorConfig({ ...env, DATABASE_URL: migratorUrl }));
    await postponeCleanUp(databaseOf(postgres.superuserUrl, "template"));
    // Creates the shared secrets here: a test process that created the pepper itself would rename it when a test has it
    // refused.
    serverConfig({ ...env, DATABASE_URL: migratorUrl });
    if (process.env.LATCHKEY_TEST_PGBOUNCER) pooler = await startPgbouncer(postgres.superuserUrl, home);
    const { superuserUrl, log } = postgres;
    const hasPgtap = pgtap !== undefined;
    return {
      cluster: { superuserUrl, migratorUrl, hasPgtap, home, log, ...(pooler && { poolerUrl: pooler.url }) },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Prints what the log says of crashes: tests survive one by reconnecting, or fail with a lost connection whose cause
 * nobody sees.
 */
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

/** PostgreSQL's settings with which it finds pgTAP. Undefined where pgTAP is not available: with CI set, that fails. */
async function findPgtap(): Promise<Record<string, string> | undefined> {
  // PostgreSQL before 18 has no extension_control_path: pgTAP must be installed in its own folder.
  if (process.env.LATCHKEY_POSTGRES_BIN) return {};
  try {
    const path = await pgtapExtensionPath(join(import.meta.dirname, "..", "..", ".cache"));
    return { extension_control_path: `$system:${path}` };
  } catch (error) {
    if (process.env.CI || !(error instanceof OperatorError)) throw error;
    console.error(`The pgTAP tests do not run. ${error.message}`);
    return undefined;
  }
}
