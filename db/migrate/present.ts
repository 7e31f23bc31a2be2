import type pg from "pg";
import { OperatorError } from "../../runtime/operator_error.ts";
import { dropEntryPoints, dropStaleFunctions } from "./functions.ts";
import { readFingerprint, writeFingerprint } from "./history.ts";
import { dropPoliciesAndGrants } from "./policies.ts";
import { findSql, readSql, sha256 } from "../sql_files.ts";

interface Part {
  name: string;
  files: string[];
  /** Removes what earlier versions of the files created and the present ones cannot replace. */
  before: (client: pg.Client) => Promise<void>;
  /** Runs once all parts are applied. */
  after?: (client: pg.Client) => Promise<void>;
}

/** The files that describe the present. A part is applied whole when any of its files changed. */
const parts: Part[] = [
  {
    name: "functions",
    files: ["functions/**/*.sql"],
    before: dropEntryPoints,
    after: dropStaleFunctions,
  },
  { name: "policies", files: ["policies/*/*.sql", "queue.sql"], before: dropPoliciesAndGrants },
];

/**
 * Applies the parts that changed, or all of them, inside the caller's transaction. Functions come first, because
 * policies may call them, and the functions without a file are dropped last, because old policies may have called
 * those. Result: the names of what was applied.
 */
export async function applyPresent(client: pg.Client, directory: string, all: boolean): Promise<string[]> {
  const applied: Part[] = [];
  for (const part of parts) {
    const { files, fingerprint } = read(part, directory);
    if (!all && (await readFingerprint(client, part.name)) === fingerprint) continue;
    await part.before(client);
    for (const { path, text } of files) await applyFile(client, path, text);
    await writeFingerprint(client, part.name, fingerprint);
    applied.push(part);
  }
  for (const { after } of applied) await after?.(client);
  return applied.map(({ name }) => name);
}

/** Whether the files of a part changed since they were applied. */
export async function hasChangedParts(client: pg.Client, directory: string): Promise<boolean> {
  for (const part of parts)
    if ((await readFingerprint(client, part.name)) !== read(part, directory).fingerprint) return true;
  return false;
}

function read(part: Part, directory: string): { files: { path: string; text: string }[]; fingerprint: string } {
  const files = findSql(part.files, directory).map((path) => ({ path, text: readSql(path, directory) }));
  return { files, fingerprint: sha256(files.map(({ path, text }) => `${path}\n${text}`).join("\n")) };
}

async function applyFile(client: pg.Client, path: string, text: string): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    throw new OperatorError(`db/${path}: ${(error as Error).message}`, { cause: error });
  }
}
