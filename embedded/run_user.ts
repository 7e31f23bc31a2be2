import { readFileSync, statSync } from "node:fs";
import { OperatorError } from "../runtime/operator_error.ts";

/** The system user that PostgreSQL runs as if we are root. Where a RunUser is undefined, it runs as our own user. */
export interface RunUser {
  name: string;
  uid: number;
  gid: number;
}

const CANDIDATES = ["latchkey", "postgres", "nobody"];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Chooses the user that PostgreSQL runs as if we are root, because PostgreSQL refuses to run as root. Existing data
 * keep their owner: otherwise a user added to the system later, or `sudo npm start` after `npm start`, would make them
 * unreadable.
 * @returns undefined if we are not root
 * @throws OperatorError when none of the users exists
 */
export function chooseRunUser(dataFolders: string[], passwdFile = "/etc/passwd"): RunUser | undefined {
  if (!isRoot()) return undefined;
  const users = readUsers(passwdFile);
  const owner = ownerOf(dataFolders);
  if (owner) return { ...owner, name: users.find(({ uid }) => uid === owner.uid)?.name ?? `${owner.uid}` };
  for (const name of CANDIDATES) {
    const user = users.find((candidate) => candidate.name === name && candidate.uid !== 0);
    if (user) return user;
  }
  throw new OperatorError(
    `PostgreSQL does not run as root and none of the system users ${CANDIDATES.join(", ")} exists: ` +
      "start as an ordinary user, or add one of them (useradd --system latchkey).",
  );
}

/** Options of node:child_process that run a child process as that user. */
export function runAs(user: RunUser | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}

function readUsers(passwdFile: string): RunUser[] {
  const lines = readFileSync(passwdFile, "utf8").split("\n");
  return lines.map((line) => {
    const [name = "", , uid, gid] = line.split(":");
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

function ownerOf(dataFolders: string[]): { uid: number; gid: number } | undefined {
  for (const folder of dataFolders) {
    const data = statSync(folder, { throwIfNoEntry: false });
    if (data && data.uid !== 0) return { uid: data.uid, gid: data.gid };
  }
  return undefined;
}
