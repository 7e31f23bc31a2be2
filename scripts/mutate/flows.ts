import { execFile } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { api } from "../../server/database/api_functions.ts";
import { routes } from "../../server/rest/routes.ts";
import { onExit } from "../../embedded/index.ts";
import { functionName } from "../../db/sql_files.ts";
import { withCallers } from "./callers.ts";
import type { Candidate } from "./candidates.ts";

const root = join(import.meta.dirname, "..", "..");
/**
 * Of all files of a function. A mutant that hangs fails by a test's own time-out, which is shorter here than in
 * vitest.config.ts.
 */
const timeout = 30 * 60_000;
const testTimeout = 60_000;

/** The tests that run functions over HTTP, in the worker, or in several connections at once. */
const flows = globSync(["tests/**/*.test.ts", "worker/**/*.test.ts", "db/*.test.ts", "db/races/*.test.ts"], {
  cwd: root,
})
  .filter((path) => !path.startsWith("tests/start/"))
  // static_checks compares db/schema.sql with the functions: it would fail for every mutant.
  .filter((path) => path !== "db/run_pgtap.test.ts" && path !== "db/static_checks.test.ts")
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/**
 * The vitest files that name the function, one of its callers, or the REST route of one of them, or have its name; all
 * if none does. In the order of what they cost and find: those about locks first, since what pgTAP's one connection
 * does not notice is mostly a lock, then those that call PostgreSQL directly, and last those that start a service.
 */
function flowsOf(path: string): string[][] {
  const functions = withCallers(path).map(functionName);
  const names = functions.flatMap(namesInTests);
  const own = new Set(functions.map((name) => `${name.split(".")[1]}.test.ts`));
  const named = flows.filter((flow) => own.has(basename(flow.path)) || names.some((name) => flow.text.includes(name)));
  const files = (named.length > 0 ? named : flows).map((flow) => flow.path);
  const stages = [/lock|race|clean_up|held/, /^db\//, /^/];
  return stages.map((stage, index) =>
    files.filter((file) => stage.test(file) && !stages.slice(0, index).some((earlier) => earlier.test(file))),
  );
}

/**
 * For api.log_in: `.log_in(`, `logIn(` and `"/auth/login"`. The functions of schema user are mutations of GraphQL too.
 */
function namesInTests(qualified: string): string[] {
  const [schema, name = ""] = qualified.split(".");
  const camelCase = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const called = schema === "api" ? new Map<string, unknown>(Object.entries(api)).get(name) : undefined;
  const paths = routes.filter(({ calls }) => calls === called).map((route) => route.path);
  return [
    schema === "user" ? name : `.${name}(`,
    `${camelCase}(`,
    ...paths.map((path) => `"${path.replace(/\{.*/, "")}`),
  ];
}

export interface FlowRunner {
  /**
   * Runs the flows of the mutant's function. Result: the first file that fails with the mutant, passes without it, and
   * fails with it again.
   */
  findKiller: (mutant: Candidate) => Promise<string | undefined>;
  remove: () => void;
  /** Its folder. */
  copy: string;
}

/** Packages that are installed in the project and in parts of it: a copy of those of testing/foreign has 300 MB. */
const packages = globSync("{,testing/foreign/}node_modules", { cwd: root });

/** A copy of the project for mutants, so that an interrupted run leaves no mutant behind. */
export function createFlowRunner(): FlowRunner {
  const copy = mkdtempSync(join(tmpdir(), "latchkey-mutant-"));
  const remove = () => rmSync(copy, { recursive: true, force: true });
  const unhook = onExit(remove);
  const linked = [...packages, ".cache"];
  cpSync(root, copy, {
    recursive: true,
    // client/dist: another process may be building it.
    filter: (source) => ![...linked, ".git", ".latchkey", "client/dist"].includes(relative(root, source)),
  });
  for (const name of linked) symlinkSync(join(root, name), join(copy, name));
  return {
    copy,
    async findKiller({ path, mutated }) {
      const file = join(copy, "db", path);
      const original = readFileSync(file, "utf8");
      const failingWith = async (sql: string, files: string[]): Promise<string | undefined> => {
        writeFileSync(file, sql);
        return findFailing(copy, files).finally(() => writeFileSync(file, original));
      };
      for (const files of flowsOf(path)) {
        await checkIntact(copy, files);
        for (let rest = files; rest.length > 0;) {
          const failing = await failingWith(mutated, rest);
          if (failing === undefined) break;
          const passes = (await failingWith(original, [failing])) === undefined;
          if (passes && (await failingWith(mutated, [failing])) !== undefined) return failing;
          // It failed by chance. The run ended there: the others are still to be run.
          rest = rest.filter((other) => other !== failing);
        }
      }
      return undefined;
    },
    remove() {
      remove();
      unhook();
    },
  };
}

/** The files that were seen to pass without a mutant. */
const intact = new Set<string>();

/**
 * A flow that fails without a mutant would kill every one. One that fails by chance, on a busy machine, gets a second
 * run.
 */
async function checkIntact(cwd: string, files: string[]): Promise<void> {
  for (let unknown = files.filter((file) => !intact.has(file)); unknown.length > 0;) {
    const failing = await findFailing(cwd, unknown);
    if (failing !== undefined && (await findFailing(cwd, [failing])) !== undefined)
      throw new Error(`${failing} fails without a mutant: repair it first.`);
    for (const file of failing === undefined ? unknown : [failing]) intact.add(file);
    unknown = unknown.filter((file) => !intact.has(file));
  }
}

/**
 * The first of the vitest files that fails. Files that take too long have not failed: a mutant must not be killed by
 * the clock.
 */
async function findFailing(cwd: string, files: string[]): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  const report = join(cwd, "flows.json");
  rmSync(report, { force: true });
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const limits = ["--testTimeout", String(testTimeout), "--hookTimeout", String(testTimeout)];
  const output = ["--reporter", "json", "--outputFile", report];
  const args = [vitest, "run", "--project", "typescript", "--bail", "1", ...limits, ...output, ...files];
  const code = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, timeout, maxBuffer: 2 ** 28 }, (error) => {
      resolve(error ? (error.killed ? "timeout" : error.code) : 0);
    });
  });
  if (code === 0 || code === "timeout") return undefined;
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    testResults: { name: string; status: string }[];
  };
  const failing = testResults.find(({ status }) => status === "failed");
  if (failing) return relative(realpathSync(cwd), failing.name);
  // An error outside of the tests, such as a rejection that nothing awaits, is in no file's result: it belongs to the
  // file that ran.
  if (files.length === 1) return files[0];
  for (const file of files) if ((await findFailing(cwd, [file])) !== undefined) return file;
  return undefined;
}
