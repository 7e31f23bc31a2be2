import { randomUUID } from "node:crypto";
import { lstatSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { homeDirectory } from "../config/secrets/secret_store.ts";
import { ensureFolder, removeFolder } from "./folders.ts";
import { firstUnreachableFolder } from "./reach.ts";
import { chooseRunUser } from "./run_user.ts";
import { SHARED_FOLDER } from "./shared_copy.ts";

/**
 * Returns the folder for data and secrets. If we are root and the checkout is in a folder that PostgreSQL's user cannot
 * enter, such as /root, the default home becomes a link to a new folder in `shared`.
 */
export function prepareHome(
  env: NodeJS.ProcessEnv,
  { home = homeDirectory(env), shared = SHARED_FOLDER } = {},
): string {
  const user = chooseRunUser([]);
  if (env.LATCHKEY_HOME || !user || lstatSync(home, { throwIfNoEntry: false })) return home;
  if (firstUnreachableFolder(dirname(home), user) === undefined) return home;
  // A unique name: a new checkout at the path of a deleted one must not use the old data.
  const outside = join(shared, `home-${randomUUID()}`);
  ensureFolder(shared, 0o755);
  ensureFolder(outside, 0o711);
  try {
    symlinkSync(outside, home);
  } catch (error) {
    removeFolder(outside);
    // Another process created the link first.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return home;
}
