import { defineConfig } from "vitest/config";

const excluded = ["node_modules/**", ".cache/**", ".latchkey/**"];
const pgtap = "db/run_pgtap.test.ts";

export default defineConfig({
  test: {
    globalSetup: "testing/global_setup.ts",
    // Tests mostly wait for PostgreSQL and for child processes: more workers than cores are faster.
    maxWorkers: 3,
    // Long enough for a machine that is busy with other test runs.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    projects: [
      { extends: true, test: { name: "pgtap", include: [pgtap], exclude: excluded } },
      {
        extends: true,
        test: { name: "typescript", include: ["**/*.test.ts"], exclude: [pgtap, ...excluded] },
      },
    ],
  },
});
