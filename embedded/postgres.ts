import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { OperatorError } from "../runtime/operator_error.ts";
import { locateBinaries } from "./binaries.ts";
import { prepareCluster } from "./cluster.ts";
import { freePort } from "./free_port.ts";
import { ensureFolder, privateMode, removeFolder, requireWritable, subfolders } from "./folders.ts";
import { startPostmaster, type Postmaster, type PostmasterOptions } from "./postmaster.ts";
import { lastLines } from "./processes.ts";
import { requireReachable } from "./reach.ts";
import { chooseRunUser } from "./run_user.ts";
import { createSocketFolder } from "./socket_folder.ts";
import { takeOverDataFolder } from "./takeover.ts";
import { HOST, superuserUrl } from "./connection_urls.ts";

export interface StartOptions {
  /** Folder in which the cluster's folder postgres-<major version> is created. */
  home: string;
  /** false: no fsync; for data that may be lost if the machine crashes. */
  durable: boolean;
  /** PostgreSQL settings that replace the defaults. */
  settings?: Record<string, string>;
  /** Folder with PostgreSQL's programs; default: LATCHKEY_POSTGRES_BIN, or the npm package's. */
  binDirectory?: string;
  /** After this time a fast shutdown becomes an immediate one; default: 4 seconds. */
  fastShutdownTimeoutMs?: number;
  /** How long PostgreSQL may take until it accepts connections; default: 30 seconds. */
  startTimeoutMs?: number;
}

export interface RunningPostgres {
  host: string;
  port: number;
  /** Folder of the Unix socket, for viaSocket; undefined if the server has no socket. */
  socketFolder: string | undefined;
  superuserUrl: string;
  /** Version of PostgreSQL: 18. */
  major: number;
  /** Path of the server's log. */
  log: string;
  stop: () => Promise<void>;
  /** Resolves with the exit code when the server ends, whether stop() was called or not. */
  exited: Promise<number | null>;
}

const DEFAULTS = {
  // Bind parameters contain secrets and must not appear in the log of a slow query or an error.
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  max_connections: "100",
  timezone: "UTC",
  // startOnFreePort() parses the messages in English.
  lc_messages: "C",
};
const NOT_DURABLE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/** Less than the time-out for the shutdown of npm start (runtime/signals.ts). */
const FAST_SHUTDOWN_TIMEOUT_MS = 4_000;
const PORT_ATTEMPTS = 10;
/** How long a start waits for the processes of an earlier server to end. */
const FOLDER_TIMEOUT_MS = 5_000;

/**
 * Starts PostgreSQL in `home`, and creates the cluster at the first start. It listens on 127.0.0.1 and on a Unix
 * socket.
 * @throws OperatorError when another Latchkey runs in `home`, or PostgreSQL cannot start
 */
export async function startPostgres(options: StartOptions): Promise<RunningPostgres> {
  const home = ensureFolder(options.home, privateMode());
  const clusters = subfolders(home, "postgres-");
  // Where clusters exist, chooseRunUser has the more helpful error: it names the owner of the data.
  if (clusters.length === 0) requireWritable(home);
  const user = chooseRunUser(clusters.map((folder) => join(folder, "data")));
  requireReachable(home, user, "set LATCHKEY_HOME to a folder that it can reach");
  const binaries = await locateBinaries(user, options.binDirectory);
  const folder = join(home, `postgres-${binaries.major}`);
  const cluster = await prepareCluster({ folder, binaries, user, durable: options.durable });
  const settings = { ...DEFAULTS, ...(options.durable ? {} : NOT_DURABLE), ...options.settings };
  const socketFolder = createSocketFolder(folder, user);
  const removeSocketFolder = () => {
    if (socketFolder) removeFolder(socketFolder);
  };
  const { fastShutdownTimeoutMs = FAST_SHUTDOWN_TIMEOUT_MS } = options;
  const { postmaster, port } = await startOnFreePort({
    cluster,
    binaries,
    user,
    socketFolder,
    settings,
    fastShutdownTimeoutMs,
    startTimeoutMs: options.startTimeoutMs,
  }).catch((error: unknown) => {
    removeSocketFolder();
    throw error;
  });
  void postmaster.exited.then(removeSocketFolder);
  writeFileSync(cluster.portFile, `${port}\n`, { mode: 0o600 });
  return {
    host: HOST,
    port,
    socketFolder,
    superuserUrl: superuserUrl(port, cluster.password),
    major: binaries.major,
    log: cluster.log,
    stop: postmaster.stop,
    exited: postmaster.exited,
  };
}

/** Starts the server on the last port, or on another one if PostgreSQL reports that it is in use. */
async function startOnFreePort(
  options: Omit<PostmasterOptions, "port">,
): Promise<{ postmaster: Postmaster; port: number }> {
  const { cluster, binaries, user } = options;
  const deadline = Date.now() + FOLDER_TIMEOUT_MS;
  let port = lastPort(cluster.portFile) ?? (await freePort());
  for (let portAttempts = 0; ;) {
    await takeOverDataFolder(cluster.data, binaries, user);
    const postmaster = await startPostmaster({ ...options, port });
    if (!("failure" in postmaster)) return { postmaster, port };
    const { failure } = postmaster;
    const isPortInUse = failure.includes("could not create any TCP/IP sockets");
    const isFolderInUse = /lock file .* (already exists|is empty)|pre-existing shared memory block/.test(failure);
    if (isPortInUse && ++portAttempts < PORT_ATTEMPTS) port = await freePort();
    else if (isFolderInUse && Date.now() < deadline) await delay(50);
    else throw new OperatorError(`PostgreSQL did not start; the end of ${cluster.log}:\n${lastLines(failure)}`);
  }
}

function lastPort(path: string): number | undefined {
  const port = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
  return port >= 1024 && port <= 65_535 ? port : undefined;
}
