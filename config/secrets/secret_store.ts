import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { OperatorError } from "../../runtime/operator_error.ts";

/** Returns LATCHKEY_HOME: the folder with the embedded database's data and the secrets created outside production. */
export function homeDirectory(env: NodeJS.ProcessEnv): string {
  return resolve(env.LATCHKEY_HOME || join(import.meta.dirname, "..", "..", ".latchkey"));
}

/** The secrets that this process has created, by name. */
const created = new Map<string, { path: string; value: string }>();

/**
 * Returns a secret that is stored in the home directory, and creates it at the first call. Processes that start at the
 * same time get the same value.
 * @param name of the file
 * @param create returns a new secret
 * @throws OperatorError when the file cannot be read or written
 */
export function loadOrCreateSecret(home: string, name: string, create: () => string): string {
  try {
    return readOrCreate(home, name, create);
  } catch (error) {
    throw new OperatorError(
      `Cannot store a secret in ${home}: ${(error as Error).message}. ` +
        "Set LATCHKEY_HOME to a folder that this user can write to.",
    );
  }
}

/** Returns a secret that is stored in the home directory, or one that is stored nowhere: for a look at what would be in force. */
export function peekSecret(home: string, name: string, create: () => string): string {
  const path = join(home, "secrets", name);
  return existsSync(path) ? readFileSync(path, "utf8") : create();
}

function readOrCreate(home: string, name: string, create: () => string): string {
  const directory = join(home, "secrets");
  const path = join(directory, name);
  if (!existsSync(path)) {
    createHome(home);
    if (!existsSync(directory)) createFolder(directory, 0o700);
    const draft = `${path}.${randomBytes(8).toString("hex")}`;
    const value = create();
    writeFileSync(draft, value, { mode: 0o600, flush: true });
    // linkSync is atomic: only one of several processes creates the file, and no process reads half of it.
    try {
      linkSync(draft, path);
      created.set(name, { path, value });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(path, "utf8");
}

/**
 * Renames a secret to NAME.refused if this process created it, so that the next start does not mistake it for an older
 * secret. Nothing is deleted: another process may use the value by now.
 */
export function refuseCreatedSecret(name: string): void {
  const secret = created.get(name);
  if (secret === undefined) return;
  try {
    // If the file has another value by now, somebody has restored the right secret.
    if (readFileSync(secret.path, "utf8") === secret.value) renameSync(secret.path, `${secret.path}.refused`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** If we are root, PostgreSQL runs as another user, who must be able to enter the home directory but not to list it. */
function createHome(home: string): void {
  if (existsSync(home)) return;
  createParents(home);
  createFolder(home, process.getuid?.() === 0 ? 0o711 : 0o700);
}

/** Does not use mkdir's option `recursive`: below /proc, node would retry forever. */
function createParents(path: string): void {
  const parent = dirname(path);
  if (existsSync(parent)) return;
  createParents(parent);
  createFolder(parent, 0o755);
}

/** Accepts that another process creates the folder at the same time. */
function createFolder(path: string, mode: number): void {
  try {
    mkdirSync(path);
    chmodSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

export const randomSecret = (): string => randomBytes(32).toString("base64url");
