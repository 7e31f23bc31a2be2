import { statSync } from "node:fs";
import { dirname } from "node:path";
import { OperatorError } from "../runtime/operator_error.ts";
import type { RunUser } from "./run_user.ts";

/** The first folder on the way to `path`, itself included, that the user may not enter. */
export function firstUnreachableFolder(path: string, user: RunUser): string | undefined {
  const parent = dirname(path);
  const above = parent === path ? undefined : firstUnreachableFolder(parent, user);
  return above ?? (mayEnter(path, user) ? undefined : path);
}

export function requireReachable(path: string, user: RunUser | undefined, remedy: string): void {
  if (!user) return;
  const blocking = firstUnreachableFolder(path, user);
  if (blocking === undefined) return;
  throw new OperatorError(
    `Started as root, PostgreSQL runs as the system user "${user.name}", which cannot enter ${blocking}: ${remedy}.`,
  );
}

// The mode bits decide: node drops supplementary groups when it changes the user of a child.
function mayEnter(path: string, user: RunUser): boolean {
  const { mode, uid, gid } = statSync(path);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
