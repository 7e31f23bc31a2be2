import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./testing/run/longest_first.ts";

const pgtap = "db/run_pgtap.test.ts";
const foreign = ["node_modules/**", ".cache/**", ".latchkey/**"];
const files = globSync("**/*.test.ts", { exclude: ["**/node_modules/**", ...foreign] }).filter(
  (file) => file !== pgtap,
);
/** They replace a module before anything imports it, or look at what a process has loaded. */
const isolated = files.filter((file) => /vi\.mock\(|recorded_delays|isLoaded\(/.test(readFileSync(file, "utf8")));

// Test processes, and the programs that they start, compile node's modules once.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules", ".cache", "node");
// The proxies and PgBouncer of Debian are there, which an ordinary user's PATH does not have.
process.env.PATH = `${process.env.PATH ?? ""}:/usr/sbin`;

export default defineConfig({
  test: {
    reporters: ["default", "./testing/run/run_summary.ts"],
    globalSetup: "testing/run/global_setup.ts",
    sequence: { sequencer: LongestFirst },
    // Their PostgreSQL, servers and browsers keep the cores busy, too: with more workers a run is slower, and answers late.
    maxWorkers: availableParallelism() + 1,
    // Only for what hangs: long enough for a busy machine on which starting a program is slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      { extends: true, test: { name: "pgtap", include: [pgtap], maxConcurrency: 3 } },
      {
        extends: true,
        test: {
          name: "typescript",
          include: ["**/*.test.ts"],
          exclude: ["**/node_modules/**", pgtap, ...isolated, ...foreign],
          // Importing the service takes a second of CPU.
          isolate: false,
          setupFiles: "testing/run/after_each_file.ts",
        },
      },
      { extends: true, test: { name: "isolated", include: isolated } },
    ],
  },
});
