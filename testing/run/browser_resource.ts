import type { BrowserServer } from "playwright-core";
import { chromiumPath } from "../browser/chromium_path.ts";

/** Starts a headless Chromium that sends no request of its own. */
export async function startBrowser(): Promise<BrowserServer> {
  const { chromium } = await import("playwright-core");
  return chromium.launchServer({
    // Only for slow machines. Playwright's own default is 30 s.
    timeout: 180_000,
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
}
