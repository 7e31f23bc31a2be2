import { existsSync } from "node:fs";

// The shell has the browser's engine without its windows and profiles, which take half of a test's CPU time.
const candidates = process.env.CHROMIUM
  ? [process.env.CHROMIUM]
  : ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/**
 * Path of Chromium: CHROMIUM, or Debian's. Undefined where it is not installed: tests that need it are skipped. With CI
 * set it is always defined, so that they fail there.
 */
export const chromiumPath = candidates.find(existsSync) ?? (process.env.CI ? candidates[0] : undefined);
