import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migratorConfig } from "../../config/config.ts";
import { migrate } from "../../db/migrate.ts";
import { readSql } from "../../db/sql_files.ts";
import { ensureDatabase, pgtapExtensionPath, startThrowaway } from "../../embedded/index.ts";
import { installPgtap, pgtapFiles, runPgtap } from "../../testing/postgres/pgtap_runner.ts";
import { databaseOf } from "../../testing/postgres/urls.ts";
import { withCallers } from "./callers.ts";
import type { Candidate } from "./candidates.ts";
import { readCoverage, type Coverage } from "./coverage.ts";

/** A mutant that never returns counts as killed. The slowest file takes a tenth of this. */
const statementTimeout = 30_000;

/**
 * A migrated database with pgTAP in a cluster of its own: pgTAP files of two databases would wait for each other's
 * roles.
 */
export interface MutantDatabase {
  /** Whether PostgreSQL accepts the mutant's syntax. */
  accepts: (mutant: Candidate) => Promise<boolean>;
  /**
   * Runs the pgTAP files that reach the function, those of the function and its callers first.
   * Result: the first file that fails with the mutant, passes without it, and fails with it again.
   */
  findKiller: (mutant: Candidate, coverage: Coverage) => Promise<string | undefined>;
  /** Runs pgTAP without a mutant. Rejects when a file fails: it would kill every mutant. */
  readCoverage: () => Promise<Coverage>;
  stop: () => Promise<void>;
}

export async function startMutantDatabase(): Promise<MutantDatabase> {
  const home = mkdtempSync(join(tmpdir(), "latchkey-secrets-"));
  const extensions = process.env.LATCHKEY_POSTGRES_BIN
    ? undefined
    : await pgtapExtensionPath(join(import.meta.dirname, "..", "..", ".cache"));
  const postgres = await startThrowaway(
    extensions === undefined ? {} : { settings: { extension_control_path: `$system:${extensions}` } },
  );
  const migratorUrl = await ensureDatabase(postgres, {
    role: "latchkey_migrator",
    password: "throw-away",
    database: "mutant",
  });
  await migrate(migratorConfig({ LATCHKEY_HOME: home, DATABASE_URL: migratorUrl }));
  const url = databaseOf(postgres.superuserUrl, "mutant");
  await installPgtap(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("alter database mutant set track_functions = 'all'");

  return {
    async accepts({ mutated }) {
      try {
        await client.query(`begin; ${mutated}`);
        return true;
      } catch {
        return false;
      } finally {
        await client.query("rollback");
      }
    },
    async findKiller({ path, mutated }, { mayReach }) {
      const failsWith = async (sql: string, file: string): Promise<boolean> => {
        await client.query(sql);
        return (await failureOf(url, file)) !== undefined;
      };
      const original = readSql(path);
      // The pages that earlier runs filled and rolled back stay otherwise, and clean_up's tests count pages.
      await client.query("vacuum");
      try {
        for (const file of nearestFirst(path).filter((near) => mayReach(near, path))) {
          if (!(await failsWith(mutated, file))) continue;
          // What fails by chance, or without the mutant, does not kill it.
          if (!(await failsWith(original, file)) && (await failsWith(mutated, file))) return file;
        }
        return undefined;
      } finally {
        await client.query(original);
      }
    },
    readCoverage: () =>
      readCoverage(client, pgtapFiles, async (file) => {
        const failure = await failureOf(url, file);
        if (failure !== undefined) throw new Error(`${file} fails without a mutant, repair it first: ${failure}`);
      }),
    async stop() {
      await client.end();
      await postgres.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function nearestFirst(path: string): string[] {
  const near = withCallers(path).map((file) => `tests/${file}`);
  return [...new Set([...near, ...pgtapFiles])];
}

/** Result: undefined if all tests of the file pass. */
async function failureOf(url: string, path: string): Promise<string | undefined> {
  try {
    const { failures, planned, count } = await runPgtap(url, path, { statementTimeout });
    if (failures.length > 0) return failures.join("; ");
    return planned === count ? undefined : `${count} of ${planned} tests ran`;
  } catch (error) {
    return (error as Error).message;
  }
}
