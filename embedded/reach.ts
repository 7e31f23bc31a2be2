import { statSync } from "node:fs";
import { dirname } from "node:path";
import { OperatorError } from "../runtime/operator_error.ts";
import type { RunUser } from "./run_user.ts";

/**
 * Returns the first folder on the path, `path` included, that the user may not enter; undefined if all may be entered.
 */
export function firstUnreachableFolder(path: string, user: RunUser): string | undefined {
  const parent = dirname(path);
  const unreachableParent = parent === path ? undefined : firstUnreachableFolder(parent, user);
  return unreachableParent ?? (mayEnter(path, user) ? undefined : path);
}

/**
 * @param remedy what the operator can do; ends the error message
 * @throws OperatorError when the user may not enter a folder on the path
 */
export function requireReachable(path: string, user: RunUser | undefined, remedy: string): void {
  if (!user) return;
  const unreachable = firstUnreachableFolder(path, user);
  if (unreachable === undefined) return;
  throw new OperatorError(
    `Started as root, PostgreSQL runs as the system user "${user.name}", which cannot enter ${unreachable}: ${remedy}.`,
  );
}

// Only the mode bits count: node drops supplementary groups when it changes a child process's user.
function mayEnter(path: string, user: RunUser): boolean {
  const { mode, uid, gid } = statSync(path);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
