import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: "testing/global_setup.ts",
    include: ["**/*.test.ts"],
    exclude: ["node_modules/**", ".cache/**", ".latchkey/**"],
    // A machine that is busy with other test runs is slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "pgtap", include: ["db/pgtap.test.ts"] } },
      {
        extends: true,
        test: { name: "typescript", exclude: ["db/pgtap.test.ts", "node_modules/**", ".cache/**"] },
      },
    ],
  },
});
