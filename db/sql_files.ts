import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** The folder db/. Tests migrate from a copy of it. */
export const sqlDirectory = import.meta.dirname;

/** SQL files below db/ that match a glob pattern, as paths relative to it, in an order that never changes. */
export function findSql(pattern: string | string[], directory = sqlDirectory): string[] {
  return globSync(pattern, { cwd: directory }).sort();
}

export function readSql(path: string, directory = sqlDirectory): string {
  return readFileSync(join(directory, path), "utf8");
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export const migrationName = (path: string): string => basename(path, ".sql");

/** `functions/private/limits/count_hit.sql` to `private.count_hit`. */
export const functionName = (path: string): string => `${path.split("/")[1]}.${basename(path, ".sql")}`;

/** The migrations of this version, oldest first. */
export const migrationNames = (): string[] => findSql("migrations/*.sql").map(migrationName);
