import { describe, expect, test } from "vitest";
import { documentBlocks, documentSection } from "../testing/documents/document_blocks.ts";
import { eventually } from "../testing/eventually.ts";
import {
  install,
  newCluster,
  recipe,
  startServerIn,
  withServer,
  type Cluster,
} from "../testing/postgres/installation.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { query } from "../testing/postgres/role_cluster.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import { databaseOf } from "../testing/postgres/urls.ts";

const sqlOf = (guide: string, heading: string): string[] => documentBlocks(`docs/${guide}.md`, heading, "sql");

/** Roles, databases, and what the cluster's catalogs say of roles and parameters. */
const remains = ({ superuserUrl }: Cluster) =>
  query(
    superuserUrl,
    `select 'role ' || rolname as remains from pg_roles
     union all select 'database ' || datname from pg_database
     union all select 'setting of a role ' || setrole::regrole from pg_db_role_setting
     union all select 'right to a parameter ' || parname from pg_parameter_acl
     union all select 'changed parameter ' || name from pg_file_settings where sourcefile like '%postgresql.auto.conf'
     order by 1`,
  );

const ofThisVersion = process.env.LATCHKEY_POSTGRES_BIN;

describe.skipIf(isMissing("psql"))("installation and removal", () => {
  test("an installed service starts, and after its removal the cluster is as new", async () => {
    const cluster = await newCluster(ofThisVersion);
    const before = await remains(cluster);
    await install(cluster);
    expect(await runRecipe("npm run --silent db:migrate", cluster.env)).toBe(
      "Nothing to change: the database has this version.\n",
    );
    expect(await withServer(cluster, async (client) => (await client.post("/auth/session/guest")).status)).toBe(200);
    expect(await remains(cluster)).not.toEqual(before);
    await runRecipe(recipe("installation", "Uninstalling"), cluster.asSuperuser);
    expect(await remains(cluster)).toEqual(before);
  });

  test("the document's queries run", async () => {
    const cluster = await newCluster(ofThisVersion);
    await install(cluster);
    const latchkey = databaseOf(cluster.superuserUrl, "latchkey");
    const queries = [
      ...sqlOf("operations", "What to watch"),
      ...sqlOf("operations", "Delivery by hour"),
      ...sqlOf("operations", "PostgreSQL itself"),
      ...sqlOf("repair", '"I never got my SMS"'),
      ...sqlOf("repair", '"Who signed in as me?"'),
    ];
    expect(queries).toHaveLength(6);
    for (const sql of queries) await query(latchkey, sql);
  });
});

/** The SQL that stands in a sentence below a heading: the code that begins like this. */
function inlineSql(heading: string, begin: string): string {
  const texts = documentSection("docs/operations.md", heading).matchAll(/`([^`]+)`/g);
  const sql = Array.from(texts, ([, text = ""]) => text.replaceAll("\n", " ")).find((text) => text.startsWith(begin));
  if (sql === undefined) throw new Error(`${heading} has no SQL that begins with ${begin}`);
  return sql;
}

test.skipIf(isMissing("psql"))(
  "the SQL for a leaked password ends a role's connections, and that for a lost pepper lets a new one in",
  async () => {
    const cluster = await newCluster(ofThisVersion);
    await install(cluster);
    const latchkey = databaseOf(cluster.superuserUrl, "latchkey");
    await withServer(cluster, async (client) => {
      expect((await client.post("/auth/session/guest")).status).toBe(200);
      const pids = async (): Promise<unknown[]> =>
        (await query(latchkey, "select pid from pg_stat_activity where usename = 'latchkey_server'")).map(
          (row) => (row as { pid: number }).pid,
        );
      const before = await pids();
      expect(before).not.toEqual([]);
      await query(latchkey, inlineSql("Passwords of the database roles", "select pg_terminate_backend"));
      await eventually("the connections have ended", async () => (await pids()).every((pid) => !before.includes(pid)));
      await eventually(
        "the server has connected again",
        async () => (await client.post("/auth/session/guest")).status === 200,
      );
    });
    const HASH_PEPPER = Buffer.alloc(32, 8).toString("base64");
    const startWithNewPepper = () => startServerIn(cluster, { HASH_PEPPER });
    await expect(startWithNewPepper()).rejects.toThrow("HASH_PEPPER is not the one");
    await query(cluster.env.DATABASE_URL!, inlineSql("Pepper", "set role latchkey_owner"));
    await (await startWithNewPepper()).stop();
  },
);
