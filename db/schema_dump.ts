import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { schemas } from "./names.ts";

const header = `-- The tables, types, indexes, constraints, triggers and comments that all migrations together make, for reading and for reviews.
-- Functions, and policies and grants of tables, have their own files below db/functions and db/policies. Nothing runs this file.
-- Made by: LATCHKEY_POSTGRES_BIN=/usr/lib/postgresql/15/bin npm run db:schema`;

/** The comment line that precedes each object of a dump. */
const title = /^--\n-- Name: (.+); Type: (.+); Schema: .+; Owner: .*\n--\n/m;

/** Returns the text of db/schema.sql, from a migrated database. bin: the folder of a pg_dump of the server's version. */
export function dumpSchema(url: string, bin: string): string {
  const only = [...schemas, "migration"].map((schema) => `--schema=${schema}`);
  const dump = execFileSync(join(bin, "pg_dump"), ["--schema-only", "--no-owner", ...only, url], {
    encoding: "utf8",
  });
  const [, ...parts] = dump.split(title);
  const statements: string[] = [];
  for (let index = 0; index < parts.length; index += 3) {
    const [name = "", type = "", text = ""] = parts.slice(index, index + 3);
    if (!isOfThePresent(name, type)) statements.push(statementsOf(text));
  }
  return `${[header, ...statements.filter((text) => text !== "")].join("\n\n")}\n`;
}

/** Whether a file of db/functions or db/policies creates the object. */
function isOfThePresent(name: string, type: string): boolean {
  if (type === "ACL") return !name.startsWith("SCHEMA ");
  return [name, type].some((text) => /^(FUNCTION|POLICY)\b/.test(text));
}

/** Removes comments, and lines that differ from run to run or between minor releases. */
const statementsOf = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^(--|\\(un)?restrict |SET |SELECT pg_catalog)/.test(line))
    .join("\n")
    .trim();
