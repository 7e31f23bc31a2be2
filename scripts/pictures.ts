import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { ensureDatabase, startThrowaway } from "../embedded/index.ts";
import { createLog } from "../runtime/log.ts";
import { openPool } from "../runtime/database/pool.ts";
import { fillAdmin } from "../testing/browser/admin_data.ts";
import { startBrowser } from "../testing/run/browser_resource.ts";

const phone = "+12125550123";
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();

/** Writes the README's pictures of /demo and /admin, as npm start shows them. Needs Chromium. */
export async function takePictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const LATCHKEY_HOME = mkdtempSync(join(tmpdir(), "latchkey-pictures-"));
  const postgres = await startThrowaway();
  const browserServer = await startBrowser();
  const browser = await chromium.connect(browserServer.wsEndpoint());
  try {
    const owner = { role: "latchkey_migrator", password: "throw-away", database: "latchkey" };
    const DATABASE_URL = await ensureDatabase(postgres, owner);
    const service = await startService({ PATH: process.env.PATH, LATCHKEY_HOME, DATABASE_URL, PORT: "0" });
    try {
      await pictureDemo(browser, service.url, join(folder, "demo.png"));
      // Not before the sign-in: fraud rules would see all that was sent.
      await fill(Object.assign(new URL(postgres.superuserUrl), { pathname: "/latchkey" }).href);
      const secret = readFileSync(join(LATCHKEY_HOME, "secrets/ADMIN_SECRET"), "utf8").trim();
      await pictureAdmin(browser, service.url, secret, join(folder, "admin.png"));
    } finally {
      await service.stop();
    }
  } finally {
    await browser.close();
    await browserServer.close();
    await postgres.stop();
    rmSync(LATCHKEY_HOME, { recursive: true });
  }
}

/** npm start, in a process of its own. */
async function startService(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../start.ts")], { env });
  const ended = once(child, "close");
  const url = await new Promise<string>((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const [, address] = /^Latchkey is listening on (\S+)\n[^]*Ctrl-C/m.exec(output) ?? [];
      if (address !== undefined) resolve(address.replace("localhost", "127.0.0.1"));
    };
    for (const stream of [child.stdout, child.stderr]) stream.on("data", read);
    void ended.then(() => reject(new Error(output)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return { url, stop };
}

async function fill(connectionString: string): Promise<void> {
  const pool = openPool({ connectionString, application_name: "pictures", max: 1 }, createLog("pictures", "warn"));
  await fillAdmin({ query: (sql) => pool.query(sql) });
  await pool.end();
}

/** A code that was sent, on a phone's screen. */
async function pictureDemo(browser: Browser, url: string, path: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 390, height: 760 }, deviceScaleFactor: 2, locale: "en-US" });
  await page.goto(`${url}/demo`);
  await page.getByLabel("Phone", { exact: true }).fill(phone);
  await press(page, "Send me a code");
  await press(page, /^Fill in \d+$/);
  await page.screenshot({ path, animations: "disabled" });
  await press(page, "Sign in");
  await page.getByRole("heading", { name: "You are signed in" }).waitFor();
}

/** The story of the person who has just signed in. */
async function pictureAdmin(browser: Browser, url: string, secret: string, path: string): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 1100, height: 775 },
    deviceScaleFactor: 1.5,
    locale: "en-US",
  });
  await page.goto(`${url}/admin`);
  await page.getByLabel("Admin secret").fill(secret);
  await press(page, "Sign in");
  await page.getByRole("searchbox").fill(phone);
  await press(page, "Find");
  await page.getByRole("heading", { name: phone }).waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  await page.screenshot({ path, animations: "disabled" });
}
