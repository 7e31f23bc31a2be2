import { chmodSync, lstatSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onExit } from "./exit_hooks.ts";
import { privateMode, removeFolder, removeLeftovers, subfolders } from "./folders.ts";
import { startPostgres, type RunningPostgres, type StartOptions } from "./postgres.ts";
import { findPostmaster } from "./postmaster_file.ts";
import { isAlive } from "./processes.ts";
import { requireReachable, firstUnreachableFolder } from "./reach.ts";
import { chooseRunUser } from "./run_user.ts";

const PREFIX = "latchkey-";
const STOP_MS = 5_000;

/** A fresh cluster for one test run; stop() or the end of this process removes it and its folder. */
export async function startThrowaway(
  options: Pick<StartOptions, "settings" | "binDirectory"> = {},
): Promise<RunningPostgres> {
  const parent = reachableTemporaryFolder();
  removeLeftovers(parent, PREFIX, destroy);
  const home = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  chmodSync(home, privateMode());
  const unhook = onExit(() => {
    destroy(home);
  });
  const remove = (): void => {
    destroy(home);
    unhook();
  };
  try {
    const running = await startPostgres({ ...options, home, durable: false });
    return { ...running, stop: () => running.stop().then(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

function reachableTemporaryFolder(): string {
  const folder = realpathSync(tmpdir());
  const user = chooseRunUser([]);
  if (!user || firstUnreachableFolder(folder, user) === undefined) return folder;
  requireReachable("/tmp", user, "set TMPDIR to a folder that it can reach");
  return realpathSync("/tmp");
}

/** Synchronous, because it must also work while this process exits. */
function destroy(home: string): void {
  // Everyone may write to a temporary folder: what is called like ours may be another user's.
  if (lstatSync(home, { throwIfNoEntry: false })?.uid !== process.getuid?.()) return;
  for (const folder of subfolders(home, "postgres-")) stopAtOnce(join(folder, "data"));
  removeFolder(home);
}

function stopAtOnce(data: string): void {
  const deadline = Date.now() + STOP_MS;
  const server = findPostmaster(data);
  if (!server) return;
  process.kill(server.pid, "SIGQUIT");
  const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
  while (isAlive(server.pid) && Date.now() < deadline) Atomics.wait(nobodyWakes, 0, 0, 10);
}
