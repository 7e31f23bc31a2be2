import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Environment } from "../../config/environment.ts";

export interface Process {
  hasEnded: () => boolean;
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<unknown>;
  /** Sends SIGTERM and resolves when the process has ended. */
  stop: () => Promise<void>;
  /** Sends SIGKILL. */
  kill: () => void;
}

/**
 * Starts a process of the service and resolves once its output contains `ready`.
 * @throws Error when it ends before that
 */
export async function startProcess(program: string, ready: string, env: Environment): Promise<Process> {
  const child = spawn(process.execPath, [program], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, ...env, LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let isReady = false;
  for await (const line of createInterface(child.stdout)) if ((isReady = line.includes(ready))) break;
  if (!isReady) throw new Error(`${program} ended before it was ready`);
  child.stdout.resume();
  return {
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended,
    kill: () => void child.kill("SIGKILL"),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

export const startServerProcess = (env: Environment, port: number) =>
  startProcess("server/main.ts", "the server is listening", {
    ...env,
    PORT: String(port),
    HOST: "127.0.0.1",
  });

export const startWorkerProcess = (env: Environment) =>
  startProcess("worker/main.ts", "waiting for jobs", env);
