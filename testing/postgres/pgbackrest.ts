import { execFile } from "node:child_process";
import { chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { chooseRunUser, runAs } from "../../embedded/index.ts";
import { eventually } from "../eventually.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import type { Cluster } from "./installation.ts";
import { query } from "./role_cluster.ts";

export interface Repository {
  /** Path of pgBackRest's configuration. */
  config: string;
  /** Waits until all that was committed is in the repository. */
  archive: () => Promise<void>;
  /** Paths of all files in it. */
  files: () => string[];
}

/** Makes a repository with a base backup of a cluster whose archive_mode is on, and archives its WAL from now on. */
export async function backUpByPgbackrest({ superuserUrl }: Cluster): Promise<Repository> {
  const folder = join(temporaryFolder(), "pgbackrest");
  const repository = join(folder, "repository");
  const config = join(folder, "pgbackrest.conf");
  const user = chooseRunUser([]);
  for (const path of [folder, repository]) {
    mkdirSync(path);
    if (user) chownSync(path, user.uid, user.gid);
  }
  const shown = async (name: string) =>
    ((await query(superuserUrl, `select current_setting('${name}') as value`)) as { value: string }[])[0]?.value ?? "";
  writeFileSync(
    config,
    `[global]
repo1-path=${repository}
lock-path=${folder}/lock
spool-path=${folder}/spool
log-level-file=off
start-fast=y
compress-type=none
[latchkey]
pg1-path=${await shown("data_directory")}
pg1-port=${await shown("port")}
pg1-socket-path=${await shown("unix_socket_directories")}
pg1-user=postgres
`,
  );
  const run = (command: string) =>
    promisify(execFile)("pgbackrest", [`--config=${config}`, "--stanza=latchkey", command], {
      cwd: "/",
      env: { PATH: process.env.PATH, PGPASSWORD: decodeURIComponent(new URL(superuserUrl).password) },
      ...runAs(user),
    });
  await run("stanza-create");
  const command = `pgbackrest --config=${config} --stanza=latchkey archive-push %p`;
  await query(superuserUrl, `alter system set archive_command = '${command}'`);
  await query(superuserUrl, "select pg_reload_conf()");
  await run("backup");
  return {
    config,
    async archive() {
      const [last] = (await query(superuserUrl, "select pg_walfile_name(pg_switch_wal()) as name")) as {
        name: string;
      }[];
      await eventually("the WAL is archived", async () => {
        const [archived] = (await query(superuserUrl, "select last_archived_wal as name from pg_stat_archiver")) as {
          name: string;
        }[];
        return String(archived?.name) >= String(last?.name);
      });
    },
    files: () => readdirSync(repository, { recursive: true, encoding: "utf8" }).sort(),
  };
}
