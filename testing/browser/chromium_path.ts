import { existsSync } from "node:fs";

/**
 * Path of Chromium: CHROMIUM, or Debian's. Undefined where it is not installed: tests that need it are skipped. With CI
 * set it is always defined, so that they fail there.
 */
export const chromiumPath = [process.env.CHROMIUM || "/usr/bin/chromium"].find(
  (path) => process.env.CI || existsSync(path),
);
