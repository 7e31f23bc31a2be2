import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { OperatorError } from "../runtime/operator_error.ts";
import { onExit } from "./exit_hooks.ts";
import { runAs, type RunUser } from "./run_user.ts";

/** The environment of PostgreSQL's processes: nothing of ours, and English messages, because we parse them. */
export const POSTGRES_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC" };

interface CommandOptions {
  user?: RunUser | undefined;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/**
 * Runs a program to its end.
 * @returns its output, standard error included
 * @throws OperatorError with the end of the output when the exit code is not 0
 */
export async function runCommand(file: string, args: string[], options: CommandOptions = {}): Promise<string> {
  // "/" because the run user may not be allowed to enter our working directory.
  const { user, cwd = "/", env = POSTGRES_ENVIRONMENT } = options;
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // Its own process group, so that the exit hook also ends its child processes.
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

/** Whether a process with that id runs. A zombie, which has ended and is not reaped yet, does not count. */
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
