import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../config/environment.ts";

/** The folder of a package of its own, with libraries of others that tests use as their users would. */
export const foreign = import.meta.dirname;

/**
 * Whether `npm ci --prefix testing/foreign` was run. Its packages are no dependencies of the project: they are half as
 * large as all of those.
 * @throws Error where the tests must not leave anything out
 */
export function isForeignMissing(): boolean {
  const missing = !existsSync(join(foreign, "node_modules"));
  if (missing && process.env.CI) throw new Error("testing/foreign is not installed: npm ci --prefix testing/foreign");
  return missing;
}

/**
 * Runs a program with this input, in that folder.
 * @returns the lines that it printed
 * @throws Error with its other output, if it fails
 */
export async function runForeign(
  program: string,
  options: string[],
  { env = {}, input = "" }: { env?: Environment; input?: string } = {},
): Promise<string[]> {
  const child = spawn(program, options, { cwd: foreign, env: { ...process.env, ...env } });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} ${options.join(" ")} failed: ${errors}${output}`);
  return output.trimEnd().split("\n");
}
