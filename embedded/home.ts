import { createHash } from "node:crypto";
import { lstatSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { homeDirectory } from "../common/home.ts";
import { makeFolder } from "./folders.ts";
import { blockingFolder } from "./reach.ts";
import { chooseRunUser } from "./run_user.ts";
import { SHARED_FOLDER } from "./shared_copy.ts";

/**
 * Where data and secrets lie. A checkout in root's own folder is closed to the user that PostgreSQL then runs as:
 * there the default home becomes a link to a folder outside, so that a start as root works anywhere.
 */
export function prepareHome(env: NodeJS.ProcessEnv, shared = SHARED_FOLDER): string {
  const home = homeDirectory(env);
  const user = chooseRunUser([]);
  if (env.LATCHKEY_HOME || !user || lstatSync(home, { throwIfNoEntry: false })) return home;
  if (blockingFolder(dirname(home), user) === undefined) return home;
  const outside = join(shared, `home-${createHash("sha256").update(home).digest("hex").slice(0, 12)}`);
  makeFolder(shared, 0o755);
  makeFolder(outside, 0o711);
  symlinkSync(outside, home);
  return home;
}
