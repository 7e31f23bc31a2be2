import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { OperatorError } from "../../runtime/operator_error.ts";

export interface DumpBackup {
  kind: "dump";
  path: string;
  database: string;
}

export interface RepositoryBackup {
  kind: "repository";
  stanza: string;
  database: string;
  superuser: string;
  /** undefined: the end of the WAL. */
  at?: string;
  /** pgBackRest's configuration, and its repository where that does not name it. */
  config?: string;
  repository?: string;
}

export type Backup = DumpBackup | RepositoryBackup;

const usage =
  "Usage: npm run restore:check -- --dump latchkey.dump, or " +
  "npm run restore:check -- --stanza latchkey --at '2026-11-28 20:00:00+00'";

const options = {
  dump: { type: "string" },
  database: { type: "string" },
  stanza: { type: "string" },
  at: { type: "string" },
  "pgbackrest-config": { type: "string" },
  repository: { type: "string" },
  superuser: { type: "string" },
} as const;

const ofRepository = ["at", "pgbackrest-config", "repository", "superuser"] as const;

/** @throws OperatorError that says what is wrong with the arguments */
export function parseArguments(args: string[]): Backup {
  const values = readOptions(args);
  for (const [name, value] of Object.entries(values)) if (value === "") throw wrong(`--${name} is empty.`);
  const { dump, stanza, database = "latchkey", superuser = "postgres", at } = values;
  if ((dump === undefined) === (stanza === undefined))
    throw wrong("Name one backup: --dump, a file of pg_dump, or --stanza, of a repository of pgBackRest.");
  if (dump !== undefined) {
    const foreign = ofRepository.find((name) => values[name] !== undefined);
    if (foreign) throw wrong(`--${foreign} is for --stanza: a dump has one moment and no repository.`);
    if (database !== "latchkey") throw wrong("--database is for --stanza: a dump is of one database.");
    return { kind: "dump", path: readable("dump", dump), database };
  }
  return {
    kind: "repository",
    stanza: name("stanza", stanza ?? ""),
    database,
    superuser,
    ...(at !== undefined && { at: momentOf(at) }),
    ...(values["pgbackrest-config"] && { config: readable("pgbackrest-config", values["pgbackrest-config"]) }),
    ...(values.repository && { repository: readable("repository", values.repository) }),
  };
}

function readOptions(args: string[]) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${usage}`, { cause: error });
  }
}

const wrong = (fault: string) => new OperatorError(`${fault} ${usage}`);

function readable(option: string, path: string): string {
  const full = resolve(path);
  try {
    accessSync(full, constants.R_OK);
  } catch (error) {
    throw wrong(`--${option}: ${full} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (option === "dump" && statSync(full).isDirectory() && !existsSync(join(full, "toc.dat")))
    throw wrong(`--dump: the folder ${full} is no dump of pg_dump -Fd.`);
  return full;
}

function name(option: string, text: string): string {
  // A leading - would be an option of pgBackRest.
  if (!/^[A-Za-z0-9_][\w.-]*$/.test(text)) throw wrong(`--${option} ${text} is not a name.`);
  return text;
}

function momentOf(text: string): string {
  const pattern = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:?\d\d)?)$/;
  const date = new Date(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  if (!pattern.test(text) || Number.isNaN(date.getTime()))
    throw wrong(`--at ${text} is no moment with a time zone, such as 2026-11-28 20:00:00+00.`);
  if (date.getTime() > Date.now()) throw wrong(`--at ${text} is in the future.`);
  return text.replace("T", " ").replace("Z", "+00");
}
