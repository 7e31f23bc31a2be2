import { execFile } from "node:child_process";
import { existsSync, globSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Environment } from "../config/environment.ts";
import { parseArguments } from "../scripts/restore/restore_arguments.ts";
import { restoreBackup } from "../scripts/restore/restored_cluster.ts";
import { childEnvironment } from "../testing/child_environment.ts";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import {
  type Cluster,
  install,
  newCluster,
  prepareDatabase,
  recipe,
  startServerIn,
  withServer,
} from "../testing/postgres/installation.ts";
import { backUpByPgbackrest } from "../testing/postgres/pgbackrest.ts";
import { expectSettled, useService, useServiceLater } from "../testing/postgres/restored_service.ts";
import { query } from "../testing/postgres/role_cluster.ts";
import { databaseOf } from "../testing/postgres/urls.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

// Each recipe starts programs by the dozen: on a busy machine, or one where a start is slow, that takes minutes.
vi.setConfig({ testTimeout: 600_000 });

/** A PostgreSQL whose folder has pg_dump too: npm's has none, and pg_dump dumps no newer server. */
const installations = [
  ...(process.env.LATCHKEY_POSTGRES_BIN ? [process.env.LATCHKEY_POSTGRES_BIN] : []),
  ...globSync("/usr/lib/postgresql/*/bin"),
].filter((folder) =>
  ["postgres", "initdb", "pg_dump", "pg_restore", "psql"].every((name) => existsSync(join(folder, name))),
);
if (installations.length === 0 && process.env.CI) throw new Error("no PostgreSQL with pg_dump is installed");

/** The roles and passwords of a recovered cluster are those of the other. */
function withPort(cluster: Cluster, port: number): Cluster {
  const moved = (text: string) => text.replace(`:${new URL(cluster.superuserUrl).port}/`, `:${port}/`);
  const env = Object.fromEntries(Object.entries(cluster.env).map(([name, value]) => [name, value && moved(value)]));
  return { ...cluster, superuserUrl: moved(cluster.superuserUrl), env };
}

/** Runs restore:check in the environment of production, which it must leave alone. */
async function check(cluster: Cluster, args: string[], env: Environment): Promise<{ code: number; output: string }> {
  const command = [join(import.meta.dirname, "../scripts/restore/main.ts"), ...args];
  return promisify(execFile)(process.execPath, command, {
    env: { ...childEnvironment(), ...cluster.env, NODE_ENV: "production", ...env },
  }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    },
  );
}

async function expectChecked(cluster: Cluster, args: string[], binDirectory = ""): Promise<void> {
  const jobs = () =>
    query(databaseOf(cluster.superuserUrl, "latchkey"), "select id, attempts from graphile_worker.jobs");
  const before = await jobs();
  const good = await check(cluster, args, { LATCHKEY_POSTGRES_BIN: binDirectory });
  expect(good.output).toMatch(
    /restored: .*\n.*\n.*migrated: .*restored: the data are of .* UTC\n.*accounts: 1, .*\n(.*\n)+.*signed in with a new account\n.*cleaned up\nThe backup is good\.\n$/,
  );
  expect(good.code).toBe(0);
  expect(await jobs()).toEqual(before);
}

/** What restore:check says after the restore is the same, whatever the backup is. */
async function expectPepperMissed(cluster: Cluster, args: string[], binDirectory: string): Promise<void> {
  const HASH_PEPPER = Buffer.alloc(32, 8).toString("base64");
  const { output, code } = await check(cluster, args, { LATCHKEY_POSTGRES_BIN: binDirectory, HASH_PEPPER });
  expect(output).toMatch(/HASH_PEPPER is not the one that this database's passwords were hashed with/);
  expect(code).toBe(1);
}

test.skipIf(installations.length === 0)(
  "a dump that ends too early, and one of a database in which nobody can sign in, are no good backups",
  async () => {
    const [binDirectory = ""] = installations;
    const here = await newCluster(binDirectory);
    await install(here);
    const folder = temporaryFolder();
    const dumpTo = async (name: string) => {
      const path = join(folder, name);
      await runRecipe(recipe("backup", "Back up").replaceAll("latchkey.dump", path), here.asSuperuser);
      return path;
    };
    const dump = await dumpTo("whole.dump");
    truncateSync(dump, statSync(dump).size - 1_000);
    const env = { LATCHKEY_POSTGRES_BIN: binDirectory };
    const cut = await check(here, ["--dump", dump], env);
    expect(cut).toEqual({ code: 1, output: expect.stringMatching(/^pg_restore failed/m) as string });

    await query(
      databaseOf(here.superuserUrl, "latchkey"),
      `create function public.refuse() returns trigger language plpgsql as $$ begin raise 'no session'; end $$;
       create trigger refuse before insert on "user".session for each row execute function public.refuse()`,
    );
    const broken = await check(here, ["--dump", await dumpTo("broken.dump")], env);
    expect(broken).toEqual({
      code: 1,
      output: expect.stringMatching(/^Signing in failed: POST \/auth\/\S+ answered 500 /m) as string,
    });
    expect(broken.output).not.toContain("The backup is good");
  },
);

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
    await expectChecked(here, ["--dump", dump], binDirectory);
    await expectPepperMissed(here, ["--dump", dump], binDirectory ?? "");

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

test.skipIf(installations.length === 0 || isMissing("pgbackrest"))(
  "a return to a point in time by pgBackRest is noticed and settled, and checked without touching the repository",
  async () => {
    const [binDirectory = ""] = installations;
    const here = await newCluster(binDirectory, { archive_mode: "on" });
    await install(here);
    const repository = await backUpByPgbackrest(here);
    const backup = await useService(here);
    // A backup of the last minutes is a failover, as far as anybody can tell.
    await query(
      databaseOf(here.superuserUrl, "latchkey"),
      "update private.installation set marked_at = now() - interval '1 hour'",
    );
    const [{ at } = { at: "" }] = (await query(here.superuserUrl, "select now()::text as at")) as { at: string }[];
    const revocations = await useServiceLater(here, backup);
    await repository.archive();

    const args = ["--stanza", "latchkey", "--pgbackrest-config", repository.config, "--at", at];
    const before = repository.files();
    await expectChecked(here, args, binDirectory);
    expect(repository.files()).toEqual(before);

    vi.stubEnv("LATCHKEY_POSTGRES_BIN", binDirectory);
    // Later files of this process have the PostgreSQL that they were started with.
    const { postgres } = await restoreBackup(parseArguments(args)).finally(() => vi.unstubAllEnvs());
    onTestFinished(() => postgres.stop());
    const there = withPort(here, postgres.port);
    await expect(startServerIn(there)).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringContaining("restored from a backup") as string,
    });
    expect(await runRecipe("npm run --silent db:migrate", there.env)).toMatch(/^restored: the data are of /m);
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
