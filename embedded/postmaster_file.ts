import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "./processes.ts";

export interface PostmasterFile {
  pid: number;
  port: number;
  /** "starting", "ready" or "stopping"; empty while the file is being written. */
  status: string;
}

/** Reads postmaster.pid, which the running server writes into its data folder. Undefined if there is none. */
export function readPostmasterFile(data: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  } catch (error) {
    // No existsSync() before: the server may remove the file in between.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? "" };
}

/**
 * Finds the server that runs on a data folder. If the process id in postmaster.pid now belongs to another program (a
 * container reuses the same ids), the file is removed, because PostgreSQL would never start with it. That is safe:
 * PostgreSQL also checks for another server's shared memory, which it finds by the folder's inode.
 */
export function findPostmaster(data: string): PostmasterFile | undefined {
  const file = readPostmasterFile(data);
  // Without a process id the file is being written: PostgreSQL reports that when it starts.
  if (!file || !(file.pid > 0)) return undefined;
  if (runsOn(file.pid, data)) return file;
  if (readPostmasterFile(data)?.pid === file.pid) rmSync(join(data, "postmaster.pid"), { force: true });
  return undefined;
}

function runsOn(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    const folder = statSync(data);
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    if (Number(uid) !== folder.uid) return false;
    const workingFolder = statSync(`/proc/${pid}/cwd`);
    return workingFolder.dev === folder.dev && workingFolder.ino === folder.ino;
  } catch (error) {
    // EACCES: this container may not read /proc/<pid>/cwd. The same user is then proof enough.
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}
