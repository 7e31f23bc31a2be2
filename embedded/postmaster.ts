import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { onExit } from "./exit_hooks.ts";
import { clusterName } from "./launcher.ts";
import { readPostmasterFile } from "./postmaster_file.ts";
import { POSTGRES_ENVIRONMENT } from "./processes.ts";
import { runAs, type RunUser } from "./run_user.ts";
import { HOST } from "./connection_urls.ts";

const START_TIMEOUT_MS = 30_000;
const MAX_LOG_BYTES = 10 * 1024 * 1024;

export interface Postmaster {
  /** Resolves with the exit code, or null if a signal ended the server. */
  exited: Promise<number | null>;
  stop: () => Promise<void>;
}

export interface PostmasterOptions {
  cluster: Cluster;
  binaries: Binaries;
  user: RunUser | undefined;
  port: number;
  socketFolder: string | undefined;
  settings: Record<string, string>;
  /** After this time a fast shutdown becomes an immediate one. */
  fastShutdownTimeoutMs: number;
  startTimeoutMs?: number | undefined;
}

/** Starts the postmaster and waits until it accepts connections. Returns its output if it does not start. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster | { failure: string }> {
  const { cluster, binaries, user, fastShutdownTimeoutMs, startTimeoutMs = START_TIMEOUT_MS } = options;
  const log = openLog(cluster.log);
  const child = spawn(binaries.postgres, ["-D", cluster.data, ...settingArguments(options)], {
    cwd: "/",
    env: POSTGRES_ENVIRONMENT,
    stdio: ["ignore", log.descriptor, log.descriptor],
    // Ctrl-C signals the terminal's whole process group; the database must outlive the server and the worker.
    detached: true,
    ...runAs(user),
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const unhook = onExit(() => child.kill("SIGINT"));
  void exited.then(unhook);
  try {
    await once(child, "spawn");
  } catch (error) {
    unhook();
    return { failure: (error as Error).message };
  } finally {
    closeSync(log.descriptor);
  }
  const stop = () => stopServer(child, exited, fastShutdownTimeoutMs);
  const isReady = await waitUntilReady(child, cluster, startTimeoutMs);
  if (isReady) return { exited, stop };
  const failure =
    child.exitCode === null && child.signalCode === null
      ? `It did not accept connections within ${startTimeoutMs / 1000} s.`
      : log.readNewLines();
  await stop();
  return { failure };
}

function settingArguments({ port, socketFolder, settings }: PostmasterOptions): string[] {
  const fixed = {
    port: `${port}`,
    listen_addresses: HOST,
    unix_socket_directories: socketFolder ?? "",
    cluster_name: clusterName(),
  };
  return Object.entries({ ...settings, ...fixed }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Returns true once the server accepts connections, and false if it ends before or needs too long. */
async function waitUntilReady(child: ChildProcess, cluster: Cluster, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const file = readPostmasterFile(cluster.data);
    // Before that, another process may listen on the port, and we would send it our login.
    if (file?.pid === child.pid && file?.status === "ready") return true;
    await delay(10);
  }
  return false;
}

/** Requests a fast shutdown, then an immediate one if the server does not end. */
async function stopServer(child: ChildProcess, exited: Promise<unknown>, timeoutMs: number): Promise<void> {
  child.kill("SIGINT");
  const stopped = new AbortController();
  const timeout = delay(timeoutMs, "timeout", { signal: stopped.signal }).catch(() => undefined);
  if ((await Promise.race([exited, timeout])) === "timeout") child.kill("SIGQUIT");
  await exited;
  stopped.abort();
}

/** Opens the log for appending, and first renames it to *.old if it is larger than 10 MB. */
function openLog(path: string): { descriptor: number; readNewLines: () => string } {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(path, `${path}.old`);
  const descriptor = openSync(path, "a", 0o600);
  const startOffset = statSync(path).size;
  return { descriptor, readNewLines: () => readFileSync(path).subarray(startOffset).toString() };
}
