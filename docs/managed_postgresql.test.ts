import { expect } from "vitest";
import { test } from "../db/roles/fixtures/role_fixtures.ts";
import { migrate } from "../db/migrate.ts";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { configFor, query } from "../testing/postgres/role_cluster.ts";

test("the documented installation needs no superuser, only an administrator who makes roles and databases", async ({
  cluster,
}) => {
  await cluster.superuserQuery("create role hosted login createrole createdb password 'hosted'");
  const url = new URL(cluster.postgres.superuserUrl);
  const connectAs = (role: string, password: string, database: string): string =>
    Object.assign(new URL(url), { username: role, password, pathname: `/${database}` }).href;
  const [commands = ""] = documentBlocks("docs/managed-postgresql.md", "Installation", "sql");
  for (const command of commands.split(/;$/m).filter((text) => text.trim() !== ""))
    await query(connectAs("hosted", "hosted", "postgres"), command);
  const migrator = connectAs("latchkey_migrator", "a long random password", "latchkey");
  await migrate(configFor(migrator, "of the roles"));
  const applied = (await query(migrator, "select startup.installed_migration() as name")) as {
    name: string;
  }[];
  expect(applied[0]?.name).toMatch(/^[0-9]{4}_/);
});
