import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** SQL files below db/ that match, as paths relative to it, in an order that never changes. */
export function findSql(pattern: string): string[] {
  return globSync(pattern, { cwd: import.meta.dirname }).sort();
}

export function readSql(path: string): string {
  return readFileSync(join(import.meta.dirname, path), "utf8");
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
