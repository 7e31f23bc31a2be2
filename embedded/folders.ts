import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "../runtime/operator_error.ts";
import { isAlive } from "./processes.ts";
import { isRoot } from "./run_user.ts";

/** As root a folder must let the run user pass to the data below it; else it is ours alone. */
export function privateMode(): number {
  return isRoot() ? 0o711 : 0o700;
}

/** The real path of the folder, made with its parents if need be. What it makes has that mode under any umask. */
export function ensureFolder(path: string, mode: number): string {
  try {
    makeMissing(path, mode);
    return realpathSync(path);
  } catch (error) {
    throw new OperatorError(
      `The folder ${path} cannot be made or entered (${(error as NodeJS.ErrnoException).code ?? ""}).`,
    );
  }
}

function makeMissing(path: string, mode: number): void {
  if (existsSync(path)) return;
  makeMissing(dirname(path), mode);
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
}

/**
 * Fills a folder under another name and renames it into place, so that `target` exists whole or not at all,
 * whenever the process is killed. Of several that build the same target one wins and all may use it.
 */
export async function createFolderAtomically(
  target: string,
  mode: number,
  fill: (scratch: string) => Promise<void> | void,
): Promise<void> {
  const tidy = (): void => {
    removeLeftovers(dirname(target), `${basename(target)}.making-`);
  };
  tidy();
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
    // Once more: the orphan of a process that was killed may have written on until now.
    tidy();
  }
}

/** Removes the folders called `<prefix><pid>-…` whose process is gone. */
export function removeLeftovers(parent: string, prefix: string, remove = removeFolder): void {
  for (const folder of subfolders(parent, prefix)) {
    const pid = /^(\d+)-/.exec(basename(folder).slice(prefix.length))?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) remove(folder);
  }
}

/** What cannot be removed now (another user's, or an orphan still writes there) is left to a later start. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch {
    return;
  }
}

export function subfolders(parent: string, prefix: string): string[] {
  if (!existsSync(parent)) return [];
  const entries = readdirSync(parent, { withFileTypes: true });
  const found = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix));
  return found.map((entry) => join(parent, entry.name));
}
