import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { schemas } from "../names.ts";
import { findSql, readSql } from "../sql_files.ts";

const header = `-- The tables, types, indexes, constraints and comments that all migrations together make, for reading and for reviews.
-- Functions, with their triggers and views, are in files below db/functions, policies and grants of tables below
-- db/policies. Nothing runs this file. Made by: LATCHKEY_POSTGRES_BIN=/usr/lib/postgresql/15/bin npm run generate --
-- database`;

/** The comment line that precedes each object of a dump. */
const title = /^--\n-- Name: (.+); Type: (.+); Schema: .+; Owner: .*\n--\n/m;

/**
 * Returns the text of db/schema.sql, from a migrated database. bin: the folder of a pg_dump of the server's version.
 */
export function dumpSchema(url: string, bin: string): string {
  const only = [...schemas, "migration"].map((schema) => `--schema=${schema}`);
  const dump = execFileSync(join(bin, "pg_dump"), ["--schema-only", "--no-owner", ...only, url], {
    encoding: "utf8",
    // Functions included, it has more than the megabyte that is the default.
    maxBuffer: 64 * 1024 * 1024,
  });
  const [, ...parts] = dump.split(title);
  const statements: string[] = [];
  for (let index = 0; index < parts.length; index += 3) {
    const [name = "", type = "", text = ""] = parts.slice(index, index + 3);
    if (!isOfThePresent(name, type) && !isOfAMonth.test(name)) statements.push(statementsOf(text));
  }
  return `${[header, ...statements.filter((text) => text !== "")].join("\n\n")}\n`;
}

/** A partition of platform.event that the clean-up made, and what belongs to it. */
const isOfAMonth = /\bevent_\d{4}_\d\d\b|\bevent_\d{4}_\d\d_/;

/** The names of the views that files of db/functions create, without their schema. */
const viewsOfFunctions = new Set(
  findSql("functions/**/*.sql").flatMap((path) =>
    Array.from(readSql(path).matchAll(/^create or replace view \w+\.(\w+)/gm), ([, name = ""]) => name),
  ),
);

/**
 * Whether a file of db/functions or db/policies creates the object. A comment's name is the kind and the name of its
 * object.
 */
function isOfThePresent(name: string, type: string): boolean {
  if (type === "ACL") return !name.startsWith("SCHEMA ");
  const [kind, view = ""] = type === "COMMENT" ? name.split(/[ .]/) : [type, name];
  return (
    ["FUNCTION", "TRIGGER", "POLICY"].includes(kind ?? "") ||
    (["VIEW", "COLUMN"].includes(kind ?? "") && viewsOfFunctions.has(view))
  );
}

/** Removes comments, and lines that differ from run to run or between minor releases. */
const statementsOf = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^(--|\\(un)?restrict |SET |SELECT pg_catalog)/.test(line))
    .join("\n")
    .trim();
