import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

/** Debian's chromium, or the one that CHROMIUM names. Undefined where there is none: tests that need it are skipped. */
export const chromiumPath = [process.env.CHROMIUM || "/usr/bin/chromium"].find((path) => existsSync(path));

/** A headless Chromium that makes no request of its own. The caller closes it. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: [
      "--headless",
      // Chromium's sandbox refuses to run as root, as which containers run the tests.
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
