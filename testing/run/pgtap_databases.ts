import { join } from "node:path";
import pg from "pg";
import { readSql } from "../../db/sql_files.ts";
import { installPgtap } from "../postgres/pgtap_runner.ts";
import { databaseOf } from "../postgres/urls.ts";
import type { TestCluster } from "./test_cluster.ts";

const count = 3;

/**
 * Creates databases like an operator's: production, with other settings and rows in every table, so that the pgTAP
 * files depend on none. Returns their URLs; none where pgTAP is not available.
 */
export async function createPgtapDatabases({ superuserUrl, hasPgtap }: TestCluster): Promise<string[]> {
  if (!hasPgtap) return [];
  const names = Array.from({ length: count }, (_, index) => `pgtap_${index + 1}`);
  const [first = ""] = names;
  const run = async (database: string, text: string) => {
    const client = new pg.Client({ connectionString: databaseOf(superuserUrl, database) });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  const copy = async (name: string, template: string) => {
    await run("postgres", `create database ${name} template ${template} owner latchkey_migrator`);
    // As a migration leaves it; a copy has PostgreSQL's defaults again.
    await run("postgres", `revoke connect, temporary on database ${name} from public`);
  };
  await copy(first, "template");
  await installPgtap(databaseOf(superuserUrl, first));
  await run(
    first,
    `begin; set local search_path = tap, test, public; ${readSql(join("fixtures", "used_database.sql"))}`,
  );
  // The fixture drops the helpers.
  await installPgtap(databaseOf(superuserUrl, first));
  for (const name of names.slice(1)) await copy(name, first);
  return names.map((name) => databaseOf(superuserUrl, name));
}
