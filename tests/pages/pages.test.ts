import { describe, expect } from "vitest";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { test } from "../../testing/browser/browser_fixtures.ts";

test("a file of the pages is served once, then confirmed", async ({ service }) => {
  const url = `${service.url}/static/page.css`;
  const first = await fetch(url, { headers: { "accept-encoding": "gzip" } });
  expect(first.headers.get("content-encoding")).toBe("gzip");
  expect(first.headers.get("content-type")).toBe("text/css; charset=utf-8");
  const long = await fetch(url, { headers: { "accept-encoding": `${"x,".repeat(600)}gzip` } });
  expect(long.headers.get("content-encoding"), "beyond a thousand characters").toBeNull();
  const plain = await fetch(url, { headers: { "accept-encoding": "identity" } });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await plain.text()).toBe(await first.text());
  // As browsers request it. By default fetch would add "no-cache", which requests the whole file.
  const again = await fetch(url, {
    headers: { "if-none-match": first.headers.get("etag") ?? "", "cache-control": "max-age=0" },
  });
  expect(again.status).toBe(304);
});

test("a file of the pages has the security headers that browsers apply to files", async ({ service }) => {
  const { headers } = await fetch(`${service.url}/static/page.css`);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(headers.get("strict-transport-security")).toContain("max-age");
  expect(headers.get("content-security-policy")).toBeNull();
});

test("modules of the pages are the project's files without their types", async ({ service }) => {
  const response = await fetch(`${service.url}/static/demo/main.ts`);
  expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
});

test("tests, declarations and source maps are not served", async ({ service }) => {
  for (const path of ["packages/preact/dist/preact.mjs.map", "packages/preact/package.json", "client/schema.d.ts"]) {
    const { status } = await fetch(`${service.url}/static/${path}`);
    expect({ path, status }).toEqual({ path, status: 404 });
  }
});

test("the demo is off in production, and the consoles where CONSOLE is off", async ({ service }) => {
  const server = await service.startAnotherServer({ DEMO: "off", CONSOLE: "off" });
  const front = await (await fetch(server.url)).text();
  for (const path of ["/demo", "/admin", "/console", "/console/static/graphiql.css"]) {
    expect((await fetch(server.url + path)).status, path).toBe(404);
    expect(front).not.toContain(`"${path}"`);
  }
});

/** Redoc requests its logo from another host, which the page's policy blocks. */
const isOurs = (text: string): boolean => !text.includes("https://cdn.redoc.ly/redoc/logo-mini.svg");

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  for (const [path, title] of [
    ["/demo", "Sign-in demo · Latchkey"],
    ["/admin", "Operator console · Latchkey"],
    ["/docs", "API reference · Latchkey"],
    ["/docs/reference", "Full API reference · Latchkey"],
  ] as const)
    test(`${path} opens without an error or a request to another host`, async ({ service, browser }) => {
      const page = await browser.newPage();
      const [problems, requests]: [string[], string[]] = [[], []];
      page.on("console", (message) => problems.push(message.text()));
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("request", (request) => requests.push(request.url()));
      await page.goto(service.url + path, { waitUntil: "networkidle" });
      expect(await page.title()).toBe(title);
      expect(problems.filter(isOurs)).toEqual([]);
      const isOwn = (url: string) => url.startsWith(service.url) || url.startsWith("blob:");
      expect(requests.filter((url) => !isOwn(url)).filter(isOurs)).toEqual([]);
      await page.close();
    });

  for (const path of ["/", "/docs", "/demo", "/admin"])
    test(`${path} loads less than 100 KB, headers included`, async ({ service, browser }) => {
      const page = await browser.newPage();
      const network = await page.context().newCDPSession(page);
      await network.send("Network.enable");
      const sizes: number[] = [];
      network.on("Network.loadingFinished", ({ encodedDataLength }) => sizes.push(encodedDataLength));
      await page.goto(service.url + path, { waitUntil: "networkidle" });
      const total = sizes.reduce((sum, size) => sum + size);
      expect(total).toBeGreaterThan(2_000);
      expect(total).toBeLessThan(100_000);
      await page.close();
    });
});
