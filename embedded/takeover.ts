import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { OperatorError } from "../runtime/operator_error.ts";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { tryLauncherLock, type LockAttempt } from "./launcher_lock.ts";
import { findPostmaster } from "./postmaster_file.ts";
import { isAlive, runCommand } from "./processes.ts";
import type { RunUser } from "./run_user.ts";
import { superuserUrl } from "./urls.ts";

const PATIENCE_MS = 5_000;
const RECOVERY_MS = 30_000;

/**
 * Leaves no server on the data folder: waits for one that is just stopping, stops the orphan of a launcher that
 * was killed, and refuses to touch one whose launcher lives, which its advisory lock tells.
 */
export async function takeOverDataFolder(
  cluster: Cluster,
  binaries: Binaries,
  user: RunUser | undefined,
): Promise<void> {
  const begin = Date.now();
  let reason = "";
  for (;;) {
    const found = findPostmaster(cluster.data);
    if (!found) return;
    const waited = Date.now() - begin;
    const attempt = await tryLauncherLock(superuserUrl(found.port, cluster.password)).catch(
      (error: unknown) => {
        reason = (error as Error).message;
        // cannot_connect_now: it says itself that it is starting or stopping.
        if (waited < ((error as { code?: string }).code === "57P03" ? RECOVERY_MS : PATIENCE_MS))
          return undefined;
        throw new OperatorError(
          `A PostgreSQL (process ${found.pid}) runs on ${cluster.data} and cannot be taken over (${reason}): stop it.`,
        );
      },
    );
    if (attempt) {
      const done = await stopIfOrphan(attempt, waited, cluster, binaries, user);
      if (done) return;
    }
    await delay(50);
  }
}

async function stopIfOrphan(
  { client, held, launcher }: LockAttempt,
  waited: number,
  cluster: Cluster,
  binaries: Binaries,
  user: RunUser | undefined,
): Promise<boolean> {
  try {
    if (!held) throw new OperatorError(`Latchkey is already running from ${dirname(dirname(cluster.data))}`);
    // Its launcher may have the server ready and not the lock yet; a process id that is reused costs a wait.
    if (isAlive(launcher) && waited < PATIENCE_MS) return false;
    await runCommand(
      binaries.pgCtl,
      ["stop", "--pgdata", cluster.data, "--mode=fast", "--wait", "--timeout=30"],
      {
        user,
      },
    );
    return true;
  } finally {
    await client.end();
  }
}
