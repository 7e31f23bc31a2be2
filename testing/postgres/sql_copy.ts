import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { sqlDirectory } from "../../db/sql_files.ts";

export interface SqlCopy {
  directory: string;
  write: (path: string, text: string) => void;
  /** Replaces every occurrence of `from`. Throws if there is none. */
  edit: (path: string, from: string, to: string) => void;
  remove: (path: string) => void;
}

/**
 * Copies the SQL below db/, so that a test can edit the copy and migrate from it as from another version of Latchkey.
 */
export function copySql(): SqlCopy {
  const directory = mkdtempSync(join(tmpdir(), "latchkey-sql-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const part of ["migrations", "functions", "policies", "queue.sql"])
    cpSync(join(sqlDirectory, part), join(directory, part), { recursive: true });
  const write: SqlCopy["write"] = (path, text) => writeFileSync(join(directory, path), text);
  return {
    directory,
    write,
    edit(path, from, to) {
      const text = readFileSync(join(directory, path), "utf8");
      if (!text.includes(from)) throw new Error(`db/${path} does not contain: ${from}`);
      write(path, text.replaceAll(from, to));
    },
    remove: (path) => rmSync(join(directory, path)),
  };
}
