import type { Reporter, TestModule } from "vitest/node";
import { chromiumPath } from "../browser/chromium_path.ts";
import { isInstalled } from "../installed_programs.ts";

const slowest = 15;
/** What a test may need beyond npm's packages. */
const programs = ["haproxy", "nginx", "openssl", "pg_prove", "pgbouncer", "psql", "zsh"];

/** Ends a run with its slowest files, with what it did not run and why, and with one line that says why it is red. */
export default class RunSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message: string }[], reason: string): void {
    const lines = [...slowestFiles(modules), ...notRun(modules)];
    const why = whyRed(modules, errors, reason);
    if (why !== undefined) lines.push(`Red, because ${why}`);
    console.log(lines.join("\n"));
  }
}

function slowestFiles(modules: readonly TestModule[]): string[] {
  if (modules.length < 2) return [];
  const timed = modules
    .map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, slowest);
  return [
    "Slowest files, in seconds:",
    ...timed.map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} ${file}`),
  ];
}

function notRun(modules: readonly TestModule[]): string[] {
  const files = modules.filter((module) => !module.children.allTests("skipped").next().done);
  if (files.length === 0) return [];
  const missing = programs.filter((name) => !isInstalled(name));
  if (chromiumPath === undefined) missing.push("Chromium");
  const count = files.reduce((sum, module) => sum + [...module.children.allTests("skipped")].length, 0);
  return [
    `Not run: ${count} tests, in ${files.map(({ relativeModuleId }) => relativeModuleId).join(", ")}.`,
    ...(missing.length > 0 ? [`Not installed here: ${missing.join(", ")}. .ci/run has the packages of Debian.`] : []),
  ];
}

function whyRed(
  modules: readonly TestModule[],
  errors: readonly { message: string }[],
  reason: string,
): string | undefined {
  const failed = modules.flatMap((module) => [...module.children.allTests("failed")]);
  const [test] = failed;
  if (test) return `${failed.length} tests failed, the first in ${test.module.relativeModuleId}: ${test.fullName}`;
  const broken = modules.find((module) => module.errors().length > 0);
  if (broken) return `${broken.relativeModuleId} failed outside of its tests: ${broken.errors()[0]?.message}`;
  const suite = modules.flatMap((module) => [...module.children.allSuites()]).find((one) => one.errors().length > 0);
  if (suite) return `a hook of ${suite.fullName} failed: ${suite.errors()[0]?.message}`;
  if (errors[0]) return `an error came from outside of a test, and every test passed: ${errors[0].message}`;
  if (reason === "passed") return undefined;
  const odd = modules.filter((module) => !module.ok() || !["passed", "skipped"].includes(module.state()));
  const states = odd.map((module) => `${module.relativeModuleId} is ${module.state()}`);
  return `the run was ${[reason, ...states].join(", ")}, although no test failed`;
}
