import { describe, expect } from "vitest";
import { removeProvider } from "../../testing/service/stored_setting.ts";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { eventually } from "../../testing/eventually.ts";
import { test } from "../../testing/browser/browser_fixtures.ts";

test("the front page says that the service is ready, and its version", async ({ service }) => {
  // A worker on a busy machine may send its first heartbeat late.
  await eventually("the page says so", async () =>
    (await (await fetch(service.url)).text()).includes("<strong>Ready.</strong>"),
  );
  const response = await fetch(service.url);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-security-policy")).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  const page = await response.text();
  expect(page).toMatch(/Version \d+\.\d+\.\d+/);
  expect(page).not.toContain("{{");
});

test("everything that the front page leads to is there", async ({ service }) => {
  const page = await (await fetch(service.url)).text();
  const paths = [...page.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path ?? "");
  expect(paths.length).toBeGreaterThan(3);
  for (const path of paths)
    // Until it is ready the service's /ready is a 503.
    await eventually(`${path} is there`, async () => (await fetch(service.url + path)).ok);
});

test("the front page says that no codes are sent, and why", async ({ service, database }) => {
  const stored = await removeProvider(database);
  await eventually("the fault on the page", async () =>
    (await (await fetch(service.url)).text()).includes("Sends no codes:"),
  );
  await service.set("OTP_PROVIDER", stored);
});

test("a file that is no file of the pages is not found, and a path cannot leave their folder", async ({ service }) => {
  for (const path of ["nothing.css", "..%2ffront_page.html", "..%2f..%2fpackage.json", ".env", ""]) {
    const { status } = await fetch(`${service.url}/static/${path}`);
    expect({ path, status }).toEqual({ path, status: 404 });
  }
});

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  test("the page opens without an error or a request to another host, and without JavaScript", async ({
    service,
    browser,
  }) => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    const [problems, requests]: [string[], string[]] = [[], []];
    page.on("console", (message) => problems.push(message.text()));
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(service.url, { waitUntil: "networkidle" });
    expect(await page.title()).toBe("Latchkey");
    expect(problems).toEqual([]);
    // The browser asks for the icon when it has time, which may be after the page is closed.
    const withoutIcon = requests.filter((url) => url !== `${service.url}/static/icon.svg`);
    expect(withoutIcon).toEqual(["/", "/static/page.css"].map((path) => service.url + path));
    await page.close();
  });
});
