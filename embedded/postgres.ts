import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { OperatorError } from "../runtime/operator_error.ts";
import { locateBinaries } from "./binaries.ts";
import { prepareCluster } from "./cluster.ts";
import { freePort } from "./free_port.ts";
import { ensureFolder, privateMode, removeFolder, subfolders } from "./folders.ts";
import { startPostmaster, type Postmaster, type PostmasterOptions } from "./postmaster.ts";
import { lastLines } from "./processes.ts";
import { requireReachable } from "./reach.ts";
import { chooseRunUser } from "./run_user.ts";
import { createSocketFolder } from "./socket_folder.ts";
import { takeOverDataFolder } from "./takeover.ts";
import { HOST, superuserUrl } from "./urls.ts";

export interface StartOptions {
  /** Gets a folder postgres-<major> with everything of the cluster. */
  home: string;
  /** false: nothing is forced to disk; for data that need not outlive a crash of the machine. */
  durable: boolean;
  settings?: Record<string, string>;
  binDirectory?: string;
}

export interface RunningPostgres {
  host: string;
  port: number;
  /** Where its Unix socket is, for connections that viaSocket makes of others; undefined if it has none. */
  socketFolder: string | undefined;
  superuserUrl: string;
  /** server_version_num: 180004 */
  version: number;
  /** The path of the server's log. */
  log: string;
  stop: () => Promise<void>;
  /** Resolves when the server ends, asked or unasked. */
  exited: Promise<number | null>;
}

const DEFAULTS = {
  // A slow-query log or an error would else show bound secrets.
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  max_connections: "100",
  timezone: "UTC",
  // The messages that decide about another attempt are read in English.
  lc_messages: "C",
};
const NOT_DURABLE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

const PORT_ATTEMPTS = 10;
const LOCK_PATIENCE_MS = 5_000;

export async function startPostgres(options: StartOptions): Promise<RunningPostgres> {
  const home = ensureFolder(options.home, privateMode());
  const user = chooseRunUser(subfolders(home, "postgres-").map((folder) => join(folder, "data")));
  requireReachable(home, user, "set LATCHKEY_HOME to a folder that it can reach");
  const binaries = await locateBinaries(user, options.binDirectory);
  const folder = join(home, `postgres-${binaries.major}`);
  const cluster = await prepareCluster({ folder, binaries, user, durable: options.durable });
  const settings = { ...DEFAULTS, ...(options.durable ? {} : NOT_DURABLE), ...options.settings };
  const socketFolder = createSocketFolder(folder, user);
  const removeSocketFolder = () => {
    if (socketFolder) removeFolder(socketFolder);
  };
  const { postmaster, port } = await startOnSomePort({
    ...{ cluster, binaries, user, socketFolder, settings },
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
    version: postmaster.lock.version,
    log: cluster.log,
    stop: postmaster.stop,
    exited: postmaster.exited,
  };
}

/** PostgreSQL itself finds out whether a port is free: a look beforehand could be outrun by another starter. */
async function startOnSomePort(
  options: Omit<PostmasterOptions, "port">,
): Promise<{ postmaster: Postmaster; port: number }> {
  const { cluster, binaries, user } = options;
  const deadline = Date.now() + LOCK_PATIENCE_MS;
  let port = lastPort(cluster.portFile) ?? (await freePort());
  for (let portsTaken = 0; ;) {
    await takeOverDataFolder(cluster, binaries, user);
    const postmaster = await startPostmaster({ ...options, port });
    if (!("failure" in postmaster)) return { postmaster, port };
    const { failure } = postmaster;
    const portTaken = failure.includes("could not create any TCP/IP sockets");
    const folderTaken = /lock file .* (already exists|is empty)|pre-existing shared memory block/.test(
      failure,
    );
    if (portTaken && ++portsTaken < PORT_ATTEMPTS) port = await freePort();
    else if (folderTaken && Date.now() < deadline) await delay(50);
    else
      throw new OperatorError(`PostgreSQL did not start; the end of ${cluster.log}:\n${lastLines(failure)}`);
  }
}

function lastPort(path: string): number | undefined {
  const port = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
  return port >= 1024 && port <= 65_535 ? port : undefined;
}
