import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import packageJson from "../package.json" with { type: "json" };
import { migratorConfig } from "../config/config.ts";
import { migrate } from "../db/migrate.ts";
import { ensureDatabase, startThrowaway } from "../embedded/index.ts";
import { memoryOf } from "./parts/cpu.ts";

/**
 * npm run import with USERS users (100,000), each with a bcrypt hash, on an empty database that flushes to
 * disk. Prints users per second, and how the memory of the import grows while it runs: it should not. COST sets --cost.
 */
const users = Number(process.env.USERS ?? 100_000);
const cost = process.env.COST ?? "6";
/** Node's flags in `npm run import`. */
const flags = packageJson.scripts.import.split(" ").slice(2, -1);
const samplePauseMs = 500;

const home = mkdtempSync(join(tmpdir(), "latchkey-import-"));
const postgres = await startThrowaway({
  settings: { fsync: "on", synchronous_commit: "on", full_page_writes: "on" },
});
try {
  const owner = { role: "latchkey_migrator", password: "bench", database: "latchkey" };
  const env = { LATCHKEY_HOME: home, LOG_LEVEL: "warn", DATABASE_URL: await ensureDatabase(postgres, owner) };
  await migrate(migratorConfig(env));
  const file = join(home, "users.ndjson");
  await writeUsers(file);
  for (const run of ["first run", "second run"]) {
    const { samples, code } = await importFile(file, env);
    const quarter = Math.ceil(samples.length / 4);
    const most = (part: number[]) => Math.max(...part);
    console.log(
      `${run}: exit code ${code}; memory after a quarter of the time ${most(samples.slice(0, quarter))} MB, ` +
        `in the last quarter ${most(samples.slice(-quarter))} MB`,
    );
  }
} finally {
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}

async function writeUsers(file: string): Promise<void> {
  const output = createWriteStream(file);
  // Numbers that are valid: area code, exchange and line of the North American plan.
  for (let user = 0; user < users; user++) {
    const phone = `+1212${200 + (Math.floor(user / 10_000) % 800)}${String(user % 10_000).padStart(4, "0")}`;
    const salt = String(user).padStart(21, "a");
    const password_hash = `$2b$10$${salt}u${"b".repeat(30)}u`;
    const line = {
      phone,
      email: `user${user}@example.com`,
      password_hash,
      created_at: "2024-05-06T07:08:09Z",
    };
    if (!output.write(`${JSON.stringify(line)}\n`)) await once(output, "drain");
  }
  output.end();
  await once(output, "finish");
}

/** Memory in MB, sampled while the import runs. */
async function importFile(file: string, env: object): Promise<{ samples: number[]; code: number | null }> {
  const child = spawn(process.execPath, [...flags, "scripts/import/main.ts", file, "--cost", cost], {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const samples: number[] = [];
  const closed = once(child, "close");
  while (child.exitCode === null) {
    const memory = child.pid === undefined ? 0 : memoryOf(child.pid);
    if (memory > 0) samples.push(memory);
    await Promise.race([delay(samplePauseMs), closed]);
  }
  return { samples, code: child.exitCode };
}
