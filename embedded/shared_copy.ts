import { chmodSync, cpSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createFolderAtomically, ensureFolder } from "./folders.ts";

/** Where root stores copies of folders that the run user cannot enter. */
export const SHARED_FOLDER = "/var/lib/latchkey";

/** Copies a folder so that every user can read it, once for all processes and starts. Returns the copy's path. */
export async function copyForAllUsers(source: string, name: string, base = SHARED_FOLDER): Promise<string> {
  const target = join(ensureFolder(base, 0o755), name);
  await createFolderAtomically(target, 0o755, (scratch) => {
    // Without verbatimSymlinks the links to shared libraries would point to the unreachable source.
    cpSync(source, scratch, { recursive: true, verbatimSymlinks: true });
    makeReadable(scratch);
  });
  return target;
}

/** Does what `chmod -R a+rX` does. */
export function makeReadable(path: string): void {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  const executable = entry.isDirectory() || (entry.mode & 0o100) !== 0;
  chmodSync(path, (entry.mode & 0o777) | 0o444 | (executable ? 0o111 : 0));
  if (!entry.isDirectory()) return;
  for (const name of readdirSync(path)) makeReadable(join(path, name));
}
