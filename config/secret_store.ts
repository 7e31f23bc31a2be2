import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { OperatorError } from "../runtime/operator_error.ts";

/** LATCHKEY_HOME: data of the embedded database and every secret made for want of a given one. */
export function homeDirectory(env: NodeJS.ProcessEnv): string {
  return resolve(env.LATCHKEY_HOME || join(import.meta.dirname, "..", ".latchkey"));
}

/**
 * A secret kept in the home directory, made at the first call.
 * Linked into place, not written there: two processes that start at once agree on one value.
 */
export function loadOrCreateSecret(home: string, name: string, make: () => string): string {
  try {
    return readOrMake(home, name, make);
  } catch (error) {
    throw new OperatorError(`A secret cannot be kept in ${home}: ${(error as Error).message}`);
  }
}

function readOrMake(home: string, name: string, make: () => string): string {
  const directory = join(home, "secrets");
  const path = join(directory, name);
  if (!existsSync(path)) {
    makeHome(home);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const draft = `${path}.${randomBytes(8).toString("hex")}`;
    writeFileSync(draft, make(), { mode: 0o600, flush: true });
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(path, "utf8");
}

/** As root PostgreSQL runs as another user, who must pass through the home, but not list it. */
function makeHome(home: string): void {
  if (existsSync(home)) return;
  mkdirSync(home, { recursive: true });
  chmodSync(home, process.getuid?.() === 0 ? 0o711 : 0o700);
}

export const randomSecret = (): string => randomBytes(32).toString("base64url");
