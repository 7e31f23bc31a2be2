import { randomUUID } from "node:crypto";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { removeLeftovers } from "./folders.ts";
import type { RunUser } from "./run_user.ts";

/** Longest path of a Unix socket in bytes: 107 on Linux, 103 on macOS. */
const maxPathBytes = 103;

/**
 * Creates a folder for PostgreSQL's Unix socket, the way to PostgreSQL that no other user of the machine has, and that
 * costs about a third less CPU than TCP. Each start
 * creates a new one, so that a killed server's socket file cannot prevent the start.
 * @returns undefined if the socket's path would be too long: clients then use TCP
 */
export function createSocketFolder(parent: string, user: RunUser | undefined): string | undefined {
  removeLeftovers(parent, "socket-");
  const folder = join(parent, `socket-${process.pid}-${randomUUID().slice(0, 4)}`);
  if (Buffer.byteLength(join(folder, ".s.PGSQL.65535")) > maxPathBytes) return undefined;
  mkdirSync(folder);
  chmodSync(folder, 0o700);
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
}
