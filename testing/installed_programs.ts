import { spawnSync } from "node:child_process";

export const isInstalled = (name: string): boolean => spawnSync(name, ["--version"]).error === undefined;

/**
 * Whether a program that a test runs is not installed: the test is skipped then. With CI set it fails instead.
 * @throws Error with CI set, if the program is missing
 */
export function isMissing(name: string): boolean {
  const missing = !isInstalled(name);
  if (missing && process.env.CI) throw new Error(`${name} is not installed`);
  return missing;
}
