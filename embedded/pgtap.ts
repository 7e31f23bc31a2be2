import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { OperatorError } from "../runtime/operator_error.ts";
import { createFolderAtomically, ensureFolder, removeFolder, removeLeftovers, subfolders } from "./folders.ts";
import { runCommand } from "./processes.ts";
import { firstUnreachableFolder } from "./reach.ts";
import { chooseRunUser } from "./run_user.ts";
import { makeReadable, SHARED_FOLDER } from "./shared_copy.ts";

/**
 * Returns a folder with pgTAP for the setting `extension_control_path` ('$system:<folder>'). pgTAP comes from
 * PGTAP_EXTENSION_DIRECTORY, or from Debian's package, which is downloaded once. It consists of SQL only, so the
 * package may be for another PostgreSQL version.
 * @throws OperatorError when pgTAP is neither configured nor downloadable
 */
export async function pgtapExtensionPath(cacheDirectory: string): Promise<string> {
  const cache = reachableCache(resolve(cacheDirectory));
  const configured = process.env.PGTAP_EXTENSION_DIRECTORY;
  if (configured) return install(resolve(configured), cache, "configured-");
  const cached = subfolders(cache, "pgtap-").find((folder) => /^pgtap-\d[^-]*$/.test(basename(folder)));
  return cached ?? (await download(cache));
}

function reachableCache(folder: string): string {
  const user = chooseRunUser([]);
  const cache = ensureFolder(folder, 0o755);
  return user && firstUnreachableFolder(cache, user) !== undefined ? ensureFolder(SHARED_FOLDER, 0o755) : cache;
}

/** Copies pgTAP's files, and no other extension's, to <cache>/pgtap-<kind><version>/extension. */
async function install(source: string, cache: string, kind = ""): Promise<string> {
  const control = join(source, "pgtap.control");
  if (!existsSync(control)) throw missingError(`${source} contains no pgtap.control`);
  const version = /default_version\s*=\s*'([^']+)'/.exec(readFileSync(control, "utf8"))?.[1] ?? "unknown";
  const target = join(cache, `pgtap-${kind}${version}`);
  // The configured folder may have changed since the last copy.
  if (kind) removeFolder(target);
  await createFolderAtomically(target, 0o755, (scratch) => {
    mkdirSync(join(scratch, "extension"));
    for (const file of globSync(join(source, "pgtap*"))) {
      copyFileSync(file, join(scratch, "extension", basename(file)));
    }
    makeReadable(scratch);
  });
  return target;
}

async function download(cache: string): Promise<string> {
  removeLeftovers(cache, "download-");
  const scratch = join(cache, `download-${process.pid}-${crypto.randomUUID().slice(0, 8)}`);
  mkdirSync(scratch);
  const options = { cwd: scratch, env: process.env };
  try {
    await fetchPackage(options);
    const [archive = ""] = globSync(join(scratch, "*.deb"));
    await runCommand("dpkg", ["-x", archive, join(scratch, "files")], options);
    const [control = ""] = globSync(join(scratch, "files/usr/share/postgresql/*/extension/pgtap.control"));
    return await install(dirname(control), cache);
  } catch (error) {
    throw missingError((error as Error).message);
  } finally {
    removeFolder(scratch);
  }
}

async function fetchPackage(options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const fetch = async (): Promise<unknown> => {
    const packages = await runCommand("apt-cache", ["search", "--names-only", "^postgresql-[0-9]+-pgtap$"], options);
    const name = /^postgresql-\d+-pgtap/m.exec(packages)?.[0] ?? "postgresql-15-pgtap";
    return runCommand("apt-get", ["download", name], options);
  };
  try {
    await fetch();
  } catch {
    // apt-get update needs root. If it fails, the second attempt reports why.
    await runCommand("apt-get", ["update"], options).catch(() => undefined);
    await fetch();
  }
}

function missingError(reason: string): OperatorError {
  return new OperatorError(
    `pgTAP is not available (${reason}): set PGTAP_EXTENSION_DIRECTORY to a folder that contains pgtap.control and its SQL files.`,
  );
}
