import {
  type Dirent,
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "../runtime/operator_error.ts";
import { isAlive } from "./processes.ts";
import { isRoot } from "./run_user.ts";

/** Mode of private folders. If we are root, the run user must be able to enter them to reach the data. */
export function privateMode(): number {
  return isRoot() ? 0o711 : 0o700;
}

/**
 * Creates the folder and its missing parents with this mode, whatever the umask is.
 * @returns the real path
 * @throws OperatorError when a folder cannot be created or entered
 */
export function ensureFolder(path: string, mode: number): string {
  try {
    createMissingFolders(path, mode);
    requireAccess(path, constants.X_OK);
    return realpathSync(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** @throws OperatorError when nothing can be created in the folder */
export function requireWritable(path: string): void {
  try {
    requireAccess(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** The slash at the end makes a file fail with ENOTDIR. */
const requireAccess = (path: string, mode: number) => {
  accessSync(`${path}/`, mode);
};

const unusable = (path: string, error: unknown) =>
  new OperatorError(
    `The folder ${path} cannot be created or written to (${(error as NodeJS.ErrnoException).code ?? ""}).`,
  );

function createMissingFolders(path: string, mode: number): void {
  if (existsSync(path)) return;
  createMissingFolders(dirname(path), mode);
  // mkdir's option `recursive` is not used: below /proc, node would retry forever.
  try {
    mkdirSync(path);
    chmodSync(path, mode);
  } catch (error) {
    // Another process may create it at the same time.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * Creates a folder under a temporary name and renames it, so that `target` is either complete or absent even if the
 * process is killed. If several processes create the same target, one wins and all use its folder.
 * @param fill writes the contents into the temporary folder
 */
export async function createFolderAtomically(
  target: string,
  mode: number,
  fill: (scratch: string) => Promise<void> | void,
): Promise<void> {
  const removeStale = (): void => {
    removeLeftovers(dirname(target), `${basename(target)}.making-`);
  };
  removeStale();
  if (existsSync(target)) return;
  const scratch = `${target}.making-${process.pid}-${crypto.randomUUID().slice(0, 8)}`;
  try {
    mkdirSync(scratch);
    chmodSync(scratch, mode);
    await fill(scratch);
    renameSync(scratch, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    removeFolder(scratch);
    // Remove stale folders again: the child process of a killed process may have written to one until now.
    removeStale();
  }
}

/** Removes the folders named `<prefix><pid>-…` whose process has ended. */
export function removeLeftovers(parent: string, prefix: string, remove = removeFolder): void {
  for (const folder of subfolders(parent, prefix)) {
    const pid = /^(\d+)-/.exec(basename(folder).slice(prefix.length))?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) remove(folder);
  }
}

/**
 * Removes the folder if possible. If another user owns it or a process still writes to it, a later start removes it.
 */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch {
    return;
  }
}

/**
 * Paths of the folders in `parent` whose names begin with `prefix`; empty if `parent` is not a folder or does not exist
 * (any more).
 */
export function subfolders(parent: string, prefix: string): string[] {
  // With the slash a file does not count.
  const entries = existsSync(`${parent}/`) ? entriesOf(parent) : [];
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix));
  return folders.map((entry) => join(parent, entry.name));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Another process has removed it meanwhile.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
