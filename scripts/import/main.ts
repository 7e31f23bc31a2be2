import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { importConfig } from "../../config/import_config.ts";
import { OperatorError, runMain } from "../../runtime/operator_error.ts";
import { parseArguments } from "./import_arguments.ts";
import { createProgress, perSecond } from "./progress.ts";
import { openMap } from "./map_file.ts";
import { readUsers } from "./read_users.ts";
import { runImport } from "./run_import.ts";
import { openUserStore } from "./user_store.ts";

/**
 * npm run import -- FILE: the users of another system, with their password hashes. docs/migrating.md describes its use.
 */
await runMain(async () => {
  const { file, cost, connections, map } = parseArguments(process.argv.slice(2));
  const config = importConfig(process.env);
  const totalBytes = file === "-" ? undefined : await sizeOf(file);
  const input: AsyncIterable<Buffer> = file === "-" ? process.stdin : createReadStream(file);
  const store = await openUserStore({ config, cost, connections });
  const mapFile = map === undefined ? undefined : openMap(map);
  const progress = createProgress({ stream: process.stderr, totalBytes });
  const started = performance.now();
  try {
    const { lines, imported, present, refused } = await runImport({
      lines: readUsers(input),
      keys: config,
      store,
      connections,
      progress: progress.update,
      refuse: (line, reason) => progress.print(`line ${line}: ${reason}`),
      map: mapFile?.write,
    }).finally(() => {
      progress.stop();
      mapFile?.close();
    });
    const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
    console.log(
      `${imported} imported, ${present} there already, ${refused} refused; ` +
        `${perSecond(lines, performance.now() - started)} users per second, ${megabytes} MB of memory`,
    );
    if (refused > 0) process.exitCode = 1;
  } finally {
    await store.stop();
  }
});

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    throw new OperatorError(`The file cannot be read: ${(error as Error).message}`);
  });
  if (found.isDirectory()) throw new OperatorError(`${file} is a folder and not a file of users.`);
  return found.size;
}
