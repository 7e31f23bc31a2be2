import { randomUUID } from "node:crypto";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { removeLeftovers } from "./folders.ts";
import type { RunUser } from "./run_user.ts";

/** What the address of a socket holds, without its last zero: 107 on Linux, 103 on macOS. */
const longestPath = 103;

/**
 * A folder for PostgreSQL's Unix socket, over which a call costs both sides about a third less than over TCP. Each start
 * makes its own, so that nothing of one that was killed is in its way. None where its path would be too long: TCP does.
 */
export function createSocketFolder(parent: string, user: RunUser | undefined): string | undefined {
  removeLeftovers(parent, "socket-");
  const folder = join(parent, `socket-${process.pid}-${randomUUID().slice(0, 4)}`);
  if (Buffer.byteLength(join(folder, ".s.PGSQL.65535")) > longestPath) return undefined;
  mkdirSync(folder);
  chmodSync(folder, 0o700);
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}
