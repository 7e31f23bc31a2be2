import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { OperatorError } from "../runtime/operator_error.ts";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { tryLauncherLock, type LockAttempt } from "./launcher_lock.ts";
import { findPostmaster } from "./postmaster_file.ts";
import { isAlive, runCommand } from "./processes.ts";
import type { RunUser } from "./run_user.ts";
import { superuserUrl } from "./connection_urls.ts";

/** How long a start waits for a server that it cannot connect to, or whose launcher does not hold the lock yet. */
const TAKEOVER_TIMEOUT_MS = 5_000;
/** How long a start waits for a server that is starting, recovering or shutting down. */
const RECOVERY_TIMEOUT_MS = 30_000;

/**
 * Makes sure that no server runs on the data folder: waits for a server that is shutting down, and stops the orphan of
 * a killed launcher.
 * @throws OperatorError when the server's launcher is alive (it holds its advisory lock), or the server cannot be stopped
 */
export async function takeOverDataFolder(
  cluster: Cluster,
  binaries: Binaries,
  user: RunUser | undefined,
): Promise<void> {
  const startedAt = Date.now();
  let reason = "";
  for (;;) {
    const server = findPostmaster(cluster.data);
    if (!server) return;
    const waitedMs = Date.now() - startedAt;
    const attempt = await tryLauncherLock(superuserUrl(server.port, cluster.password)).catch((error: unknown) => {
      reason = (error as Error).message;
      // 57P03 (cannot_connect_now): the server is starting, recovering or shutting down.
      if (waitedMs < ((error as { code?: string }).code === "57P03" ? RECOVERY_TIMEOUT_MS : TAKEOVER_TIMEOUT_MS))
        return undefined;
      throw new OperatorError(
        `A PostgreSQL (process ${server.pid}) runs on ${cluster.data}, and Latchkey cannot connect to it (${reason}): stop that process.`,
      );
    });
    if (attempt) {
      const done = await stopIfOrphan(attempt, waitedMs, cluster, binaries, user);
      if (done) return;
    }
    await delay(50);
  }
}

/** Stops the server if its launcher is dead. Returns false if the launcher may still be about to take its lock. */
async function stopIfOrphan(
  { client, acquired, launcher }: LockAttempt,
  waitedMs: number,
  cluster: Cluster,
  binaries: Binaries,
  user: RunUser | undefined,
): Promise<boolean> {
  try {
    if (!acquired) throw new OperatorError(`Latchkey is already running from ${dirname(dirname(cluster.data))}`);
    // A launcher that is alive may not have taken its lock yet. If the process id was reused, we wait in vain.
    if (isAlive(launcher) && waitedMs < TAKEOVER_TIMEOUT_MS) return false;
    await runCommand(binaries.pgCtl, ["stop", "--pgdata", cluster.data, "--mode=fast", "--wait", "--timeout=30"], {
      user,
    });
    return true;
  } finally {
    await client.end();
  }
}
