import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Environment } from "../../config/environment.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import { childEnvironment } from "../../testing/child_environment.ts";
import { isMissing } from "../../testing/installed_programs.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { parseArguments } from "./restore_arguments.ts";

/** Replaces the names of files in the arguments by paths in a folder of the test. */
function inFolder(args: string[]): string[] {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "latchkey.dump"), "PGDMP");
  writeFileSync(join(folder, "plain.sql"), "create table x ();");
  return args.map((arg) => (/^(latchkey\.dump|plain\.sql|missing|\.)$/.test(arg) ? join(folder, arg) : arg));
}

test.each([
  [[], "Name one backup: --dump, a file of pg_dump, or --stanza"],
  [["--dump", "latchkey.dump", "--stanza", "main"], "Name one backup"],
  [["--dump", ""], "--dump is empty."],
  [["--dump", "missing"], /--dump: .*missing cannot be read \(ENOENT\)/],
  [["--dump", "."], /--dump: the folder .* is no dump of pg_dump -Fd/],
  [["--dump", "latchkey.dump", "--at", "2026-01-01 00:00:00Z"], "--at is for --stanza"],
  [["--dump", "latchkey.dump", "--superuser", "admin"], "--superuser is for --stanza"],
  [["--dump", "latchkey.dump", "--database", "other"], "--database is for --stanza"],
  [["--stanza", "--at"], "--stanza"],
  [["--stanza", "main; rm"], "--stanza main; rm is not a name"],
  [["--stanza", "main", "--at", "yesterday"], "--at yesterday is no moment with a time zone"],
  [["--stanza", "main", "--at", "2026-01-01 00:00:00"], "is no moment with a time zone"],
  [["--stanza", "main", "--at", "2026-13-01 00:00:00Z"], "is no moment with a time zone"],
  [["--stanza", "main", "--at", "2999-01-01 00:00:00Z"], "is in the future"],
  [["--stanza", "main", "--repository", "missing"], /--repository: .* cannot be read/],
  [["--stanza", "main", "--pgbackrest-config", "missing"], /--pgbackrest-config: .* cannot be read/],
  [["--verbose"], "Unknown option '--verbose'"],
  [["latchkey.dump"], "Unexpected argument"],
])("the arguments %j are refused with a sentence and the usage", (args, message) => {
  const placed = inFolder(args);
  const parse = () => parseArguments(placed);
  expect(parse).toThrow(OperatorError);
  expect(parse).toThrow(message);
  expect(parse).toThrow("Usage: npm run restore:check -- ");
});

test("a moment is passed on as PostgreSQL writes it", () => {
  expect(parseArguments(["--stanza", "main", "--at", "2026-01-02T03:04:05Z"])).toEqual({
    kind: "repository",
    stanza: "main",
    database: "latchkey",
    superuser: "postgres",
    at: "2026-01-02 03:04:05+00",
  });
});

/** Runs the program to its end. */
async function run(args: string[], env: Environment): Promise<{ code: number; output: string }> {
  return promisify(execFile)(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], {
    env: { ...childEnvironment(), ...env },
  }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    },
  );
}

test.each<[string, string, Environment, RegExp]>([
  ["without a pepper", "latchkey.dump", {}, /^HASH_PEPPER is not set: /],
  [
    "with two peppers",
    "latchkey.dump",
    { HASH_PEPPER: "x", HASH_PEPPER_FILE: "/y" },
    /^HASH_PEPPER and HASH_PEPPER_FILE are both set/,
  ],
  [
    "of a dump in plain SQL",
    "plain.sql",
    { HASH_PEPPER: "x" },
    /plain\.sql is no archive of pg_dump: make it by pg_dump -Fc\.$/m,
  ],
  [
    "of a damaged dump",
    "latchkey.dump",
    { HASH_PEPPER: "x" },
    /^pg_restore failed; the first of its errors \(1\): error: /m,
  ],
  [
    "without pg_restore",
    "latchkey.dump",
    { HASH_PEPPER: "x", PATH: dirname(process.execPath) },
    /^pg_restore is not found: install /m,
  ],
])("a check %s ends with a sentence and code 1", async (_, dump, env, message) => {
  const { code, output } = await run(inFolder(["--dump", dump]), env);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(message) as string });
});

test("a check without pgBackRest, and one of a stanza that does not exist, end with a sentence", async () => {
  const HASH_PEPPER = "x";
  expect(await run(["--stanza", "main"], { HASH_PEPPER, PATH: dirname(process.execPath) })).toEqual({
    code: 1,
    output: "pgbackrest is not found: install pgBackRest (Debian: apt-get install pgbackrest).\n",
  });
  if (isMissing("pgbackrest")) return;
  const repository = temporaryFolder();
  expect(await run(["--stanza", "main", "--repository", repository], { HASH_PEPPER })).toEqual({
    code: 1,
    output: expect.stringMatching(/^pgbackrest failed \(75\): .*no backup set found to restore$/ms) as string,
  });
});
