import { readFileSync, statSync } from "node:fs";
import { OperatorError } from "../runtime/operator_error.ts";

/** The ordinary system user that PostgreSQL runs as when we are root; undefined means "as we are". */
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
 * PostgreSQL refuses to run as root. Data that exist already are served by their owner, so that neither a
 * user added to the system later nor `sudo npm start` after `npm start` makes them unreadable.
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

/** The options of node:child_process that make a process run as that user. */
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
