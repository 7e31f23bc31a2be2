import { eventually } from "../eventually.ts";
import { readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { migratorConfig, type MigratorConfig } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import { ensureDatabase, type RunningPostgres } from "../../embedded/index.ts";
import { startNewCluster } from "./new_cluster.ts";

export const logins = ["server", "graphql", "worker"];

/** A PostgreSQL cluster for tests that change roles, which are cluster-wide. It logs every statement. */
export interface RoleCluster {
  postgres: RunningPostgres;
  /** Creates an empty database and returns its owner's URL. */
  newDatabase: (database: string, role?: string) => Promise<string>;
  superuserQuery: (text: string) => Promise<unknown[]>;
}

export async function startRoleCluster(): Promise<RoleCluster> {
  const postgres = await startNewCluster({ log_statement: "all" });
  return {
    postgres,
    newDatabase: (database, role = "latchkey_migrator") =>
      ensureDatabase(postgres, { role, password: "of the migrator", database }),
    superuserQuery: (text) => query(postgres.superuserUrl, text),
  };
}

/** Puts a rule before all others of pg_hba.conf. Returns a function that removes it. */
export async function addHbaRule({ superuserQuery }: RoleCluster, rule: string): Promise<() => Promise<void>> {
  const [{ hba_file: file }] = (await superuserQuery("show hba_file")) as [{ hba_file: string }];
  const rules = readFileSync(file, "utf8");
  const write = async (text: string) => {
    const loadedAt = async () => {
      const [row] = (await superuserQuery("select pg_conf_load_time()::text as at")) as [{ at: string }];
      return row.at;
    };
    const before = await loadedAt();
    writeFileSync(file, text);
    await superuserQuery("select pg_reload_conf()");
    // The server loads the file after the function has returned.
    await eventually("pg_hba.conf is loaded", async () => (await loadedAt()) !== before);
  };
  await write(`${rule}\n${rules}`);
  return () => write(rules);
}

/** Creates the migrator's configuration with this password in the URLs of the login roles. */
export function configFor(url: string, password: string, env: Environment = {}): MigratorConfig {
  const loginUrls = logins.map((name) => {
    const loginUrl = new URL(url);
    loginUrl.username = `latchkey_${name}`;
    loginUrl.password = encodeURIComponent(password);
    return [`${name.toUpperCase()}_DATABASE_URL`, loginUrl.href];
  });
  return migratorConfig({
    NODE_ENV: "production",
    DATABASE_URL: url,
    ...(Object.fromEntries(loginUrls) as Environment),
    ...env,
  });
}

export async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
