import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { childEnvironment } from "../child_environment.ts";
import type { Environment } from "../../config/environment.ts";

/**
 * Runs a recipe of a document in the checkout, with the shell's usual programs and these variables, until a command
 * fails.
 * @param input the answers to the recipe's prompts
 * @param shell what runs it, with its options
 * @throws Error with the output, if a command fails
 */
export async function runRecipe(
  recipe: string,
  env: Environment,
  input = "",
  [shell, ...options]: [string, ...string[]] = ["sh"],
): Promise<string> {
  // Without a terminal, so that prompts for a password read the input.
  const child = spawn(shell, [...options, "-e", "-c", recipe], {
    cwd: join(import.meta.dirname, "..", ".."),
    env: { ...childEnvironment(), ...env },
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`the recipe failed: ${output}`);
  return output;
}
