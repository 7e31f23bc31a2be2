import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { onExit } from "./exit_hooks.ts";
import { clusterName, LauncherLock } from "./launcher_lock.ts";
import { readPostmasterFile } from "./postmaster_file.ts";
import { POSTGRES_ENVIRONMENT } from "./processes.ts";
import { runAs, type RunUser } from "./run_user.ts";
import { HOST, superuserUrl } from "./urls.ts";

const READY_MS = 30_000;
const FAST_STOP_MS = 4_000;
const LOG_BYTES = 10 * 1024 * 1024;

export interface Postmaster {
  lock: LauncherLock;
  /** The exit code, or null when a signal ended it. */
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
}

/** A running server, or what it printed before it gave up. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster | { failure: string }> {
  const { cluster, binaries, user, port } = options;
  const log = openLog(cluster.log);
  const child = spawn(binaries.postgres, ["-D", cluster.data, ...settingArguments(options)], {
    cwd: "/",
    env: POSTGRES_ENVIRONMENT,
    stdio: ["ignore", log.descriptor, log.descriptor],
    // Ctrl-C reaches the terminal's whole process group; the database must outlive those who still use it.
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
  const lock = await waitUntilReady(child, cluster, port);
  if (typeof lock === "string") {
    await stopServer(child, exited);
    return { failure: lock || log.printed() };
  }
  void exited.then(() => lock.release());
  return { lock, exited, stop: () => stopServer(child, exited) };
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

/** The lock once the server takes connections; a text (empty if the log has it) when it never will. */
async function waitUntilReady(
  child: ChildProcess,
  cluster: Cluster,
  port: number,
): Promise<LauncherLock | string> {
  const deadline = Date.now() + READY_MS;
  let reason = "";
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) return "";
    // Only then is it our server that listens on the port, and not a stranger to whom we would log in.
    const file = readPostmasterFile(cluster.data);
    if (file?.pid === child.pid && file?.ready) {
      try {
        return await LauncherLock.take(superuserUrl(port, cluster.password));
      } catch (error) {
        reason = ` (${(error as Error).message})`;
      }
    }
    await delay(10);
  }
  return `It did not take connections within ${READY_MS / 1000} s${reason}.`;
}

async function stopServer(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.kill("SIGINT");
  const patience = new AbortController();
  const late = delay(FAST_STOP_MS, "late", { signal: patience.signal }).catch(() => undefined);
  if ((await Promise.race([exited, late])) === "late") child.kill("SIGQUIT");
  await exited;
  patience.abort();
}

function openLog(path: string): { descriptor: number; printed: () => string } {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) renameSync(path, `${path}.old`);
  const descriptor = openSync(path, "a", 0o600);
  const begin = statSync(path).size;
  return { descriptor, printed: () => readFileSync(path).subarray(begin).toString() };
}
