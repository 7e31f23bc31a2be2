import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { OperatorError } from "../runtime/operator_error.ts";
import { onExit } from "./exit_hooks.ts";
import { runAs, type RunUser } from "./run_user.ts";

/** All that a PostgreSQL process gets of our environment: nothing. Its messages are parsed, so: English. */
export const POSTGRES_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

interface CommandOptions {
  user?: RunUser | undefined;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end and returns what it printed; its failure is an Error that carries that. */
export async function runCommand(
  file: string,
  args: string[],
  options: CommandOptions = {},
): Promise<string> {
  // The working directory is one that every user may enter: ours may be closed to the run user.
  const { user, cwd = "/", env = POSTGRES_ENVIRONMENT } = options;
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // Its own process group, so that the hook below ends it together with what it started.
    detached: true,
    ...runAs(user),
  });
  const unhook = onExit(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  });
  let output = "";
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  try {
    const status = await new Promise<number | string>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => {
        resolve(code ?? signal ?? "");
      });
    });
    if (status !== 0) throw new OperatorError(`${file} failed (${status}): ${lastLines(output)}`);
    return output;
  } finally {
    unhook();
  }
}

export function lastLines(text: string, count = 12): string {
  return text.trim().split("\n").slice(-count).join("\n");
}

/** Whether a process has that id; one that has ended and only waits to be reaped does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
