import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSet, readSecretFiles, type Environment, type Problems } from "../../config/environment.ts";
import { onExit } from "../../embedded/index.ts";
import { OperatorError, runMain } from "../../runtime/operator_error.ts";
import { checkRestored } from "./check_restored.ts";
import { parseArguments } from "./restore_arguments.ts";
import { restoreBackup } from "./restored_cluster.ts";

/** Of the environment: what the database's content depends on, and nothing that leads to another database or vendor. */
const secretNames = ["HASH_PEPPER", "KEY_ENCRYPTION_KEY"];

/** npm run restore:check: restores a backup in a throw-away cluster, and signs in to it. */
await runMain(async () => {
  const backup = parseArguments(process.argv.slice(2));
  const secrets = readSecrets(process.env);
  const home = mkdtempSync(join(tmpdir(), "latchkey-check-"));
  const unhook = onExit(() => rmSync(home, { recursive: true, force: true }));
  try {
    const name =
      backup.kind === "dump" ? `the dump ${backup.path}` : `the stanza ${backup.stanza} at ${backup.at ?? "its end"}`;
    const restored = await step(
      "restored",
      () => restoreBackup(backup),
      ({ postgres }) => `${name}, in PostgreSQL ${postgres.major}`,
    );
    try {
      await checkRestored(restored, { ...secrets, LATCHKEY_HOME: home }, step);
    } finally {
      await step("cleaned up", restored.postgres.stop);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
    unhook();
  }
  console.log("The backup is good.");
});

async function step<T>(name: string, work: () => Promise<T>, told?: (result: T) => string): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
  const detail = told?.(result) ?? "";
  console.log(`${seconds} s  ${name}${detail && `: ${detail}`}`);
  return result;
}

function readSecrets(env: Environment): Environment {
  const problems: Problems = new Map();
  const resolved = readSecretFiles(env, problems, secretNames);
  if (problems.size > 0) throw new OperatorError([...problems.values()].join("\n"));
  if (!isSet(resolved, "HASH_PEPPER"))
    throw new OperatorError("HASH_PEPPER is not set: without the pepper of the backup nobody could sign in to it.");
  return Object.fromEntries(secretNames.map((name) => [name, resolved[name]]));
}
