import { randomUUID } from "node:crypto";
import { lstatSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { homeDirectory } from "../config/secret_store.ts";
import { ensureFolder, removeFolder } from "./folders.ts";
import { firstUnreachableFolder } from "./reach.ts";
import { chooseRunUser } from "./run_user.ts";
import { SHARED_FOLDER } from "./shared_copy.ts";

/**
 * Where data and secrets lie. A checkout in root's own folder is closed to the user that PostgreSQL then runs as:
 * there the default home becomes a link to a folder outside, so that a start as root works anywhere.
 */
export function prepareHome(
  env: NodeJS.ProcessEnv,
  { home = homeDirectory(env), shared = SHARED_FOLDER } = {},
): string {
  const user = chooseRunUser([]);
  if (env.LATCHKEY_HOME || !user || lstatSync(home, { throwIfNoEntry: false })) return home;
  if (firstUnreachableFolder(dirname(home), user) === undefined) return home;
  // Its own name each time: a new checkout where a deleted one was must not find the other's data.
  const outside = join(shared, `home-${randomUUID()}`);
  ensureFolder(shared, 0o755);
  ensureFolder(outside, 0o711);
  try {
    symlinkSync(outside, home);
  } catch (error) {
    removeFolder(outside);
    // Another start was quicker.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return home;
}
