import { execFile } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { api } from "../../server/database/api_functions.ts";
import { routes } from "../../server/rest/routes.ts";
import { onExit } from "../../embedded/index.ts";
import { functionName, withCallers } from "./callers.ts";
import type { Candidate } from "./candidates.ts";

const root = join(import.meta.dirname, "..", "..");
const timeout = 10 * 60_000;

/** The tests that run functions over HTTP, in the worker, or in several connections at once. */
const flows = globSync(["server/flows/**/*.test.ts", "worker/**/*.test.ts", "db/*.test.ts"], { cwd: root })
  // static_checks compares db/schema.sql with the functions: it would fail for every mutant.
  .filter((path) => path !== "db/run_pgtap.test.ts" && path !== "db/static_checks.test.ts")
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** The vitest files that name the function, one of its callers, or the REST route of one of them; all if none does. */
function flowsOf(path: string): string[] {
  const names = withCallers(path).map(functionName).flatMap(namesInTests);
  const named = flows.filter(({ text }) => names.some((name) => text.includes(name)));
  return (named.length > 0 ? named : flows).map((flow) => flow.path);
}

/** For api.log_in: `.log_in(`, `logIn(` and `"/auth/login"`. The functions of schema user are mutations of GraphQL too. */
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

/** A copy of the project for mutants, so that an interrupted run leaves no mutant behind. */
export function createFlowRunner(): {
  isKilled: (mutant: Candidate) => Promise<boolean>;
  remove: () => void;
  /** Its folder. */
  copy: string;
} {
  const copy = mkdtempSync(join(tmpdir(), "latchkey-mutant-"));
  const remove = () => rmSync(copy, { recursive: true, force: true });
  const unhook = onExit(remove);
  const linked = ["node_modules", ".cache"];
  cpSync(root, copy, {
    recursive: true,
    filter: (source) => ![...linked, ".git", ".latchkey"].includes(relative(root, source)),
  });
  for (const name of linked) symlinkSync(join(root, name), join(copy, name));
  return {
    copy,
    async isKilled({ path, mutated }) {
      const files = flowsOf(path);
      const file = join(copy, "db", path);
      const original = readFileSync(file, "utf8");
      writeFileSync(file, mutated);
      try {
        return !(await passes(copy, files));
      } finally {
        writeFileSync(file, original);
      }
    },
    remove() {
      remove();
      unhook();
    },
  };
}

/** Whether the vitest files pass; false also when they take too long. */
function passes(cwd: string, files: string[]): Promise<boolean> {
  const vitest = join("node_modules", "vitest", "vitest.mjs");
  const args = [vitest, "run", "--project", "typescript", "--bail", "1", ...files];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, timeout, maxBuffer: 2 ** 28 }, (error) => resolve(!error));
  });
}
