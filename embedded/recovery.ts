import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateBinaries } from "./binaries.ts";
import type { RunningPostgres } from "./postgres.ts";
import { runCommand } from "./processes.ts";
import { chooseRunUser } from "./run_user.ts";
import { startThrowaway } from "./throwaway.ts";

/** Runs a program as the system user that PostgreSQL runs as, to its end. Rejects with the end of its output. */
export type RunCommandAs = (file: string, args: string[]) => Promise<string>;

/** A recovery reads WAL of hours. */
const RECOVERY_TIMEOUT_MS = 3_600_000;

/**
 * Recovers a base backup in a temporary folder and starts it. Of the backup's configuration only what says how to
 * recover is in force: its archive_command would write into the repository of the running cluster. Whoever reaches the
 * Unix socket, in a folder of our own, is whom the address names; over TCP a password is needed.
 * @param restore fills the empty data folder, with recovery.signal and, in postgresql.auto.conf, restore_command
 */
export async function startRecovery(
  restore: (data: string, run: RunCommandAs) => Promise<void>,
): Promise<RunningPostgres> {
  return startThrowaway({
    startTimeoutMs: RECOVERY_TIMEOUT_MS,
    settings: {
      archive_mode: "off",
      // Accepts connections only when the recovery has ended, and so demands no more of our settings than of a primary.
      hot_standby: "off",
      shared_preload_libraries: "",
      ssl: "off",
    },
    fill: async (home) => {
      const user = chooseRunUser([]);
      const { major } = await locateBinaries(user);
      const folder = join(home, `postgres-${major}`);
      const data = join(folder, "data");
      const own = (path: string, mode: number) => {
        chmodSync(path, mode);
        if (user) chownSync(path, user.uid, user.gid);
      };
      const write = (path: string, text: string) => {
        writeFileSync(path, text);
        own(path, 0o600);
      };
      mkdirSync(folder);
      chmodSync(folder, user ? 0o711 : 0o700);
      mkdirSync(data);
      own(data, 0o700);
      await restore(data, (file, args) => runCommand(file, args, { user, env: { ...process.env, LC_ALL: "C" } }));
      const automatic = join(data, "postgresql.auto.conf");
      const lines = existsSync(automatic) ? readFileSync(automatic, "utf8").split("\n") : [];
      write(automatic, lines.filter((line) => /^(restore_command|recovery_target)/.test(line)).join("\n") + "\n");
      write(join(data, "postgresql.conf"), "");
      write(join(data, "pg_hba.conf"), "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n");
      write(join(data, "pg_ident.conf"), "");
      // Where a cluster of our own has the superuser's; nobody knows the one of this.
      write(join(folder, "superuser.password"), randomBytes(24).toString("base64url"));
    },
  });
}
