import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Environment } from "../../config/environment.ts";

export interface Process {
  hasEnded: () => boolean;
  /** Sends SIGTERM and resolves when the process has ended. */
  stop: () => Promise<void>;
}

/** Starts a process of the service and resolves once its output contains `ready`. */
export async function startProcess(program: string, ready: string, env: Environment): Promise<Process> {
  const child = spawn(process.execPath, [program], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH, ...env, LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  for await (const line of createInterface(child.stdout)) if (line.includes(ready)) break;
  child.stdout.resume();
  return {
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
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
