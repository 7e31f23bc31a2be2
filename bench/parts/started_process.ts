import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Environment } from "../../config/environment.ts";
import packageJson from "../../package.json" with { type: "json" };

/** V8's flags of the npm script that starts the program; none for a program of the benchmarks. */
const flagsOf = (program: string): string[] =>
  Object.values(packageJson.scripts)
    .map((script) => script.split(" "))
    .find((words) => words.at(-1) === program)
    ?.slice(2, -1) ?? [];

export interface Process {
  pid: number;
  /** The line of its output that said that it was ready. */
  line: string;
  hasEnded: () => boolean;
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<unknown>;
  /** Sends SIGTERM and resolves when the process has ended. */
  stop: () => Promise<void>;
  /** Sends SIGKILL. */
  kill: () => void;
}

/**
 * Starts a program of this repository and resolves once its output contains `ready`. SHOW_LOG=1 shows the rest of its
 * log.
 * @throws Error when it ends before that
 */
export async function startProcess(program: string, ready: string, env: Environment = {}): Promise<Process> {
  const child = spawn(process.execPath, [...flagsOf(program), program], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, ...env, LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let found: string | undefined;
  for await (const line of createInterface(child.stdout))
    if (line.includes(ready)) {
      found = line;
      break;
    }
  if (found === undefined) throw new Error(`${program} ended before it was ready`);
  if (process.env.SHOW_LOG) child.stdout.pipe(process.stderr);
  else child.stdout.resume();
  return {
    pid: child.pid ?? 0,
    line: found,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended,
    kill: () => void child.kill("SIGKILL"),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The URL that a program has printed in its line of JSON. */
export const urlOf = ({ line }: Process): string => (JSON.parse(line) as { url: string }).url;

export const startServerProcess = (env: Environment, port = 0): Promise<Process> =>
  startProcess("server/main.ts", "the server is listening", { HOST: "127.0.0.1", ...env, PORT: String(port) });

export const startWorkerProcess = (env: Environment): Promise<Process> =>
  startProcess("worker/main.ts", "waiting for jobs", env);
