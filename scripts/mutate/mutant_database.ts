import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migratorConfig } from "../../config/config.ts";
import { migrate } from "../../db/migrate.ts";
import { readSql } from "../../db/sql_files.ts";
import { ensureDatabase, pgtapExtensionPath, startThrowaway } from "../../embedded/index.ts";
import { installPgtap, pgtapFiles, runPgtap } from "../../testing/pgtap_runner.ts";
import { databaseOf } from "../../testing/urls.ts";
import { withCallers } from "./callers.ts";
import type { Candidate } from "./candidates.ts";

/** A mutant that never returns counts as killed. The slowest file takes a tenth of this. */
const statementTimeout = 30_000;

/** A migrated database with pgTAP in a cluster of its own: pgTAP files of two databases would wait for each other's roles. */
export interface MutantDatabase {
  /** Whether PostgreSQL accepts the mutant's syntax. */
  accepts: (mutant: Candidate) => Promise<boolean>;
  /** Runs pgTAP, the files of the function and its callers first. Result: the first file that fails, and fails again. */
  findKiller: (mutant: Candidate) => Promise<string | undefined>;
  /** The first pgTAP file that fails without a mutant. */
  findBroken: () => Promise<string | undefined>;
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
    ...{ role: "latchkey_migrator", password: "throw-away", database: "mutant" },
  });
  await migrate(migratorConfig({ LATCHKEY_HOME: home, DATABASE_URL: migratorUrl }));
  const url = databaseOf(postgres.superuserUrl, "mutant");
  await installPgtap(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();

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
    // pgTAP files roll back all that they do, so one database serves all mutants.
    async findKiller({ path, mutated }) {
      await client.query(mutated);
      try {
        return await findFailingTwice(url, nearestFirst(path));
      } finally {
        await client.query(readSql(path));
      }
    },
    findBroken: () => findFailing(url, pgtapFiles),
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

/** A file that fails by chance, such as a time-out on a busy machine, must not kill a mutant: it is run again. */
async function findFailingTwice(url: string, paths: string[]): Promise<string | undefined> {
  for (const path of paths) {
    if ((await findFailing(url, [path])) && (await findFailing(url, [path]))) return path;
  }
  return undefined;
}

async function findFailing(url: string, paths: string[]): Promise<string | undefined> {
  for (const path of paths) {
    const result = await runPgtap(url, path, { statementTimeout }).catch(() => undefined);
    if (!result || result.failures.length > 0 || result.planned !== result.count) return path;
  }
  return undefined;
}
