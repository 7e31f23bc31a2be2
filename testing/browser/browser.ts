import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

/**
 * Path of Chromium: CHROMIUM, or Debian's. Undefined where it is not installed: tests that need it are skipped. With CI
 * set it is always defined, so that they fail there.
 */
export const chromiumPath = [process.env.CHROMIUM || "/usr/bin/chromium"].find(
  (path) => process.env.CI || existsSync(path),
);

/** Only for slow machines: no test measures it. Playwright's own default is 30 s. */
const timeout = 90_000;

/** Starts a headless Chromium that sends no request of its own. The caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    timeout,
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: [
      "--headless",
      // Containers run the tests as root, and Chromium's sandbox refuses to start as root.
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  browser.on("context", (context) => context.setDefaultTimeout(timeout));
  return browser;
}
