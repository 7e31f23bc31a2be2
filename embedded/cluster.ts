import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "../runtime/operator_error.ts";
import type { Binaries } from "./binaries.ts";
import { createFolderAtomically, privateMode, subfolders } from "./folders.ts";
import { runCommand } from "./processes.ts";
import type { RunUser } from "./run_user.ts";

/** Paths of one cluster's folder and its superuser's password. */
export interface Cluster {
  data: string;
  password: string;
  portFile: string;
  log: string;
}

interface ClusterOptions {
  folder: string;
  binaries: Binaries;
  user: RunUser | undefined;
  durable: boolean;
}

const PASSWORD_FILE = "superuser.password";

/**
 * Returns the cluster in `folder`, and creates it with initdb if it does not exist.
 * @throws OperatorError when the data belong to another PostgreSQL version or system user
 */
export async function prepareCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, binaries } = options;
  if (!existsSync(folder)) requireNoOtherVersion(folder, binaries.major);
  // We own the folder, and the run user owns only the data in it: otherwise that user could plant links in our folder.
  await createFolderAtomically(folder, privateMode(), (scratch) => initialize(scratch, options));
  const data = join(folder, "data");
  checkData(data, binaries.major);
  return {
    data,
    password: readFileSync(join(folder, PASSWORD_FILE), "utf8"),
    portFile: join(folder, "port"),
    log: join(folder, "server.log"),
  };
}

async function initialize(folder: string, { binaries, user, durable }: ClusterOptions): Promise<void> {
  const data = join(folder, "data");
  const passwordFile = join(folder, PASSWORD_FILE);
  mkdirSync(data);
  chmodSync(data, 0o700);
  writeFileSync(passwordFile, randomBytes(24).toString("base64url"), { mode: 0o600, flush: durable });
  if (user) for (const path of [data, passwordFile]) chownSync(path, user.uid, user.gid);
  const locale = binaries.major >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : [];
  const args = [
    "--pgdata",
    data,
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth-host=scram-sha-256",
    "--auth-local=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    ...locale,
    "--no-instructions",
    ...(durable ? [] : ["--no-sync"]),
  ];
  await runCommand(binaries.initdb, args, { user });
}

function checkData(data: string, major: number): void {
  const owner = statSync(data, { throwIfNoEntry: false })?.uid;
  if (owner === undefined) throw new OperatorError(`${dirname(data)} is not a Latchkey database: move it away.`);
  const self = process.getuid?.();
  if (self !== undefined && self !== 0 && self !== owner) {
    throw new OperatorError(
      `The data in ${data} belong to the system user ${owner}: start as root, or set LATCHKEY_HOME to a folder of your own.`,
    );
  }
  const found = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  if (found !== `${major}`) throw otherVersionError(data, found, major);
}

/**
 * Without this check another version would start with an empty cluster, and the existing data would seem to be lost.
 */
function requireNoOtherVersion(folder: string, major: number): void {
  const other = subfolders(dirname(folder), "postgres-").find((path) => /^postgres-\d+$/.test(basename(path)));
  if (other) throw otherVersionError(other, basename(other).slice("postgres-".length), major);
}

function otherVersionError(path: string, found: string, major: number): OperatorError {
  return new OperatorError(
    `${path} contains data of PostgreSQL ${found}, which this PostgreSQL ${major} cannot read: set LATCHKEY_POSTGRES_BIN to the bin folder of a PostgreSQL ${found}, or move that folder away to start with an empty database.`,
  );
}
