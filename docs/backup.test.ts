import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import {
  install,
  newCluster,
  prepareDatabase,
  recipe,
  startServerIn,
  withServer,
} from "../testing/postgres/installation.ts";
import { expectSettled, useService, useServiceLater } from "../testing/postgres/restored_service.ts";
import { query } from "../testing/postgres/role_cluster.ts";
import { databaseOf } from "../testing/postgres/urls.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

// Each recipe starts programs by the dozen: on a busy machine that takes a while.
vi.setConfig({ testTimeout: 180_000 });

/** A PostgreSQL whose folder has pg_dump too: npm's has none, and pg_dump dumps no newer server. */
const installations = [
  ...(process.env.LATCHKEY_POSTGRES_BIN ? [process.env.LATCHKEY_POSTGRES_BIN] : []),
  ...globSync("/usr/lib/postgresql/*/bin"),
].filter((folder) =>
  ["postgres", "initdb", "pg_dump", "pg_restore", "psql"].every((name) => existsSync(join(folder, name))),
);
if (installations.length === 0 && process.env.CI) throw new Error("no PostgreSQL with pg_dump is installed");

test.skipIf(installations.length === 0)(
  "a dump that is restored in another cluster has the accounts, with the same pepper and no other, and nothing from before counts",
  async () => {
    const [binDirectory] = installations;
    const [here, there] = [await newCluster(binDirectory), await newCluster(binDirectory)];
    await install(here);
    const backup = await useService(here);
    const dump = join(temporaryFolder(), "latchkey.dump");
    const inFolder = (text: string) => text.replaceAll("latchkey.dump", dump);
    await runRecipe(inFolder(recipe("backup", "Back up")), here.asSuperuser);
    const revocations = await useServiceLater(here, backup);

    await prepareDatabase(there);
    const output = await runRecipe(inFolder(recipe("backup", "Restore")), { ...there.env, ...there.asSuperuser });
    expect(output).toMatch(/restored: the data are of .* UTC\. Codes, /);
    await expect(startServerIn(there, { HASH_PEPPER: Buffer.alloc(32, 8).toString("base64") })).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringContaining("HASH_PEPPER is not the one") as string,
    });
    await expectSettled(there, backup, revocations);
  },
);

test("the document's SQL ends every session, and settles a restore that cannot be noticed", async () => {
  const cluster = await newCluster(process.env.LATCHKEY_POSTGRES_BIN);
  await install(cluster);
  await withServer(cluster, (client) => client.post("/auth/session/guest"));
  const latchkey = databaseOf(cluster.superuserUrl, "latchkey");
  const { DATABASE_URL = "" } = cluster.env;
  const [signOut = ""] = documentBlocks("docs/backup.md", "What you know of the time since", "sql");
  const [settle = ""] = documentBlocks("docs/backup.md", "What cannot be noticed", "sql");
  await query(DATABASE_URL, signOut);
  expect(await query(latchkey, `select count(*)::integer from "user".session where revoked_at is null`)).toEqual([
    { count: 0 },
  ]);
  await query(DATABASE_URL, settle);
  await query(DATABASE_URL, settle);
  expect(await query(latchkey, "select at from private.restore")).toHaveLength(1);
});
