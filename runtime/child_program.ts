import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "./log.ts";
import { OperatorError } from "./operator_error.ts";
import { shutdownTimeout } from "./signals.ts";

/**
 * Milliseconds before a program that has ended is started again: the first is doubled each time that it ended at once.
 */
const backoff = { first: 100, most: 10_000, atOnce: 10_000 };

export interface ChildProgram {
  /** The URL at which it listens; undefined while it does not. */
  url: () => string | undefined;
  /** Where it serves its metrics, if it does. */
  metricsUrl: () => string | undefined;
  stop: () => Promise<void>;
}

/** Tells the process that runs this program where it listens, and stops when that process ends. For the program. */
export function tellParent({ url, metricsUrl }: { url: string; metricsUrl: string | undefined }): void {
  process.send?.({ url, metricsUrl });
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
}

/**
 * Runs a program that listens as a child process, and starts it again whenever it ends. Resolves once it listens.
 * @param file the program, which calls tellParent
 * @param nodeFlags further flags of Node
 * @throws OperatorError if it ends before it has listened for the first time; it has said why
 */
export async function runChildProgram(
  file: string,
  nodeFlags: string[],
  env: NodeJS.ProcessEnv,
  log: Log,
): Promise<ChildProgram> {
  let child: ChildProcess | undefined;
  let url: string | undefined;
  let metricsUrl: string | undefined;
  const stopped = new AbortController();
  const isStopped = () => stopped.signal.aborted;

  /** Resolves when the child has ended. */
  async function run(onListening: () => void): Promise<void> {
    try {
      // Detached: Ctrl-C in a terminal reaches this process alone, which stops the child in its turn.
      child = spawn(process.execPath, [...process.execArgv, ...nodeFlags, file], {
        env,
        detached: true,
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      child.on("message", (message: { url: string; metricsUrl?: string }) => {
        ({ url, metricsUrl } = message);
        onListening();
      });
      await once(child, "exit");
    } catch (error) {
      // No open file, process or memory is left for it, for example.
      log.error({ file, err: error }, "a program could not be started");
    }
    url = undefined;
    metricsUrl = undefined;
    child = undefined;
  }

  async function runAgain(ended: Promise<void>): Promise<void> {
    let pauseMs = backoff.first;
    for (let startedAt = performance.now(); ; startedAt = performance.now()) {
      await ended;
      if (isStopped()) return;
      pauseMs = performance.now() - startedAt < backoff.atOnce ? pauseMs : backoff.first;
      log.error({ file, pauseMs }, "a program ended unexpectedly, and is started again");
      await delay(pauseMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (isStopped()) return;
      pauseMs = Math.min(2 * pauseMs, backoff.most);
      ended = run(() => undefined);
    }
  }

  // It ends by itself when this process does, unless it hangs.
  process.once("exit", () => child?.kill("SIGKILL"));
  let ended = Promise.resolve();
  const isListening = await new Promise<boolean>((resolve) => {
    ended = run(() => resolve(true));
    void ended.then(() => resolve(false));
  });
  if (!isListening) throw new OperatorError(`${file} ended before it listened: its own message says why.`);
  const over = runAgain(ended);
  return {
    url: () => url,
    metricsUrl: () => metricsUrl,
    async stop() {
      stopped.abort();
      // Before the process's own time-out, or what is stopped afterwards would have no time.
      const overdue = setTimeout(() => child?.kill("SIGKILL"), shutdownTimeout.ms / 2);
      child?.kill("SIGTERM");
      await over;
      clearTimeout(overdue);
    },
  };
}
