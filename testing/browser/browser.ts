import { chromium, type Browser } from "playwright-core";
import { shared } from "../run/shared.ts";

/** Only for slow machines: no test measures it. Playwright's own default is 30 s. */
const timeout = 180_000;

/** Connects to the run's Chromium. The caller closes the connection, and with it its contexts. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.connect(await shared("browser"), { timeout });
  browser.on("context", (context) => context.setDefaultTimeout(timeout));
  return browser;
}
