import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { OperatorError } from "../runtime/operator_error.ts";
import type { Binaries } from "./binaries.ts";
import { launcherLives } from "./launcher.ts";
import { findPostmaster } from "./postmaster_file.ts";
import { runCommand } from "./processes.ts";
import type { RunUser } from "./run_user.ts";

/** How long a start waits for a server that is shutting down. */
const SHUTDOWN_TIMEOUT_MS = 30_000;

/**
 * Makes sure that no server runs on the data folder: waits for a server that is shutting down, and stops the orphan of
 * a killed launcher.
 * @throws OperatorError when the server's launcher is alive, or the server cannot be stopped
 */
export async function takeOverDataFolder(data: string, binaries: Binaries, user: RunUser | undefined): Promise<void> {
  const deadline = Date.now() + SHUTDOWN_TIMEOUT_MS;
  for (let server = findPostmaster(data); server; server = findPostmaster(data)) {
    if (server.status !== "stopping") {
      if (launcherLives(server.pid))
        throw new OperatorError(`Latchkey is already running from ${dirname(dirname(data))}`);
      await runCommand(binaries.pgCtl, ["stop", "--pgdata", data, "--mode=fast", "--wait", "--timeout=30"], { user });
      return;
    }
    if (Date.now() > deadline)
      throw new OperatorError(`The PostgreSQL (process ${server.pid}) on ${data} does not end: stop that process.`);
    await delay(50);
  }
}
