import { chmodSync, lstatSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onExit } from "./exit_hooks.ts";
import { privateMode, removeFolder, removeLeftovers, subfolders } from "./folders.ts";
import { startPostgres, type RunningPostgres, type StartOptions } from "./postgres.ts";
import { findPostmaster } from "./postmaster_file.ts";
import { isAlive, runCommand } from "./processes.ts";
import { requireReachable, firstUnreachableFolder } from "./reach.ts";
import { chooseRunUser } from "./run_user.ts";

const PREFIX = "latchkey-";
const STOP_TIMEOUT_MS = 5_000;

interface ThrowawayOptions extends Pick<StartOptions, "settings" | "binDirectory" | "startTimeoutMs"> {
  /** The home of a cluster that does not run, which is copied. Without it initdb creates one. */
  copyOf?: string;
  /** Fills the new home before the start. */
  fill?: (home: string) => Promise<void>;
}

/** Starts a new cluster in a temporary folder. stop(), or the end of this process, stops it and removes the folder. */
export async function startThrowaway({ copyOf, fill, ...options }: ThrowawayOptions = {}): Promise<RunningPostgres> {
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
    if (copyOf !== undefined) await copyHome(copyOf, home);
    await fill?.(home);
    const running = await startPostgres({ ...options, home, durable: false });
    return { ...running, stop: () => running.stop().then(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Copies the home of a cluster that does not run, with its files' owners. */
export async function copyHome(source: string, target: string): Promise<void> {
  // fs.cp keeps no owner. cp shares the blocks where the file system can.
  await runCommand("cp", ["-Rp", `${source}/.`, target], { env: process.env });
}

function reachableTemporaryFolder(): string {
  const folder = realpathSync(tmpdir());
  const user = chooseRunUser([]);
  if (!user || firstUnreachableFolder(folder, user) === undefined) return folder;
  requireReachable("/tmp", user, "set TMPDIR to a folder that it can reach");
  return realpathSync("/tmp");
}

/** Stops the cluster and removes its folder. Synchronous, because it also runs while this process exits. */
function destroy(home: string): void {
  // Every user may create a folder with our prefix in the temporary folder.
  if (lstatSync(home, { throwIfNoEntry: false })?.uid !== process.getuid?.()) return;
  for (const folder of subfolders(home, "postgres-")) stopImmediately(join(folder, "data"));
  removeFolder(home);
}

function stopImmediately(data: string): void {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  const server = findPostmaster(data);
  if (!server) return;
  process.kill(server.pid, "SIGQUIT");
  // Atomics.wait on a value that never changes is a synchronous sleep.
  const sleepBuffer = new Int32Array(new SharedArrayBuffer(4));
  while (isAlive(server.pid) && Date.now() < deadline) Atomics.wait(sleepBuffer, 0, 0, 10);
}
