import { defineConfig } from "vitest/config";

const elsewhere = ["node_modules/**", ".cache/**", ".latchkey/**"];
const pgtap = "db/pgtap.test.ts";

export default defineConfig({
  test: {
    globalSetup: "testing/global_setup.ts",
    // Most of a test's time is waiting for PostgreSQL and for processes to start: more workers than cores are faster.
    maxWorkers: 3,
    // A machine that is busy with other test runs is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "pgtap", include: [pgtap], exclude: elsewhere } },
      {
        extends: true,
        test: { name: "typescript", include: ["**/*.test.ts"], exclude: [pgtap, ...elsewhere] },
      },
    ],
  },
});
