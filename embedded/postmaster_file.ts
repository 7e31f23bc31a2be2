import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "./processes.ts";

export interface PostmasterFile {
  pid: number;
  port: number;
  ready: boolean;
}

/** What the running server of that data folder says of itself in postmaster.pid. */
export function readPostmasterFile(data: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  } catch (error) {
    // Read without a test before: the server may remove it between the two.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === "ready" };
}

/**
 * The server that runs on that data folder. A file whose process id now belongs to something else (a container
 * starts with the same ids each time) is removed, because PostgreSQL itself would refuse to start for ever.
 * That is safe: PostgreSQL also looks for another server's shared memory, by the folder's inode.
 */
export function findPostmaster(data: string): PostmasterFile | undefined {
  const file = readPostmasterFile(data);
  // Without a number it is being written this moment: PostgreSQL itself will say so.
  if (!file || !(file.pid > 0)) return undefined;
  if (runsOn(file.pid, data)) return file;
  if (readPostmasterFile(data)?.pid === file.pid) rmSync(join(data, "postmaster.pid"), { force: true });
  return undefined;
}

function runsOn(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    const ours = statSync(data);
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    if (Number(uid) !== ours.uid) return false;
    const theirs = statSync(`/proc/${pid}/cwd`);
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch (error) {
    // EACCES is a container without the right to look: the same user must do as proof.
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}
