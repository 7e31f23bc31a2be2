import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chromiumPath, openBrowser } from "../../../testing/browser.ts";
import { tokensOf } from "../../../testing/client.ts";
import { startService, type Service } from "../../../testing/service.ts";

const secret = "console-secret-0123456789-abcdefghij";

let service: Service;
beforeAll(async () => {
  service = await startService({ worker: false, env: { ADMIN_SECRET: secret } });
});
afterAll(() => service.stop());

test("the policy allows scripts of this server or with the nonce of the response, and no form target", async () => {
  const [first, second] = [await fetch(`${service.url}/console`), await fetch(`${service.url}/console`)];
  const policy = first.headers.get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  const scripts = (await first.text()).match(/<script[^>]*>/g) ?? [];
  expect(scripts.length).toBeGreaterThan(0);
  for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
  expect(second.headers.get("content-security-policy")).not.toContain(nonce);
});

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let problems: string[];
  let requests: string[];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    [problems, requests] = [[], []];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (line) => ["error", "warning"].includes(line.type()) && problems.push(line.text()));
    page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`));
    page.on("request", (request) => {
      if (!request.url().startsWith("data:")) requests.push(request.url());
    });
    await open();
  });
  afterEach(() => context.close());

  /** Opens the page. By the time GraphiQL shows that it has no schema, it could have fetched one. */
  const open = async () => {
    await page.goto(`${service.url}/console`);
    await page.locator(".graphiql-query-editor .view-line").first().waitFor();
    await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
    await page.getByText("No GraphQL schema available").waitFor();
  };
  const submit = async (kind: string, credential: string) => {
    await page.getByLabel("Kind of credential").selectOption(kind);
    await page.getByLabel("Credential", { exact: true }).fill(credential);
    await page.getByRole("button", { name: "Use" }).click();
  };
  const write = async (editor: string, text: string) => {
    await page.locator(`${editor} .view-lines`).filter({ visible: true }).click();
    await page.keyboard.press("ControlOrMeta+A");
    // A brace typed over a selection would enclose it.
    await page.keyboard.press("Delete");
    await page.keyboard.insertText(text);
  };
  const run = async (query: string) => {
    await write(".graphiql-query-editor", query);
    await page.locator(".graphiql-execute-button").click();
  };
  const waitForStatus = (text: string) => page.locator("#credential output").getByText(text).waitFor();
  const waitForResult = (text: string) => page.locator(".result-window").getByText(text).first().waitFor();
  const adminQuery = "{ settings_configuration(order_by: { key: asc }) { key } }";
  /** All browser storage and the page's URL. */
  const readStorage = async (): Promise<string> =>
    JSON.stringify([
      await context.storageState({ indexedDB: true }),
      await page.evaluate("[{ ...sessionStorage }, history.state, location.href]"),
    ]);

  test("the page opens without an error, and without a request to another host or to GraphQL", async () => {
    expect(await page.title()).toBe("Latchkey");
    expect(problems).toEqual([]);
    expect(requests.length).toBeGreaterThan(5);
    expect(requests.filter((url) => !url.startsWith(`${service.url}/console`))).toEqual([]);
    const field = page.getByLabel("Credential", { exact: true });
    expect([await field.getAttribute("type"), await field.getAttribute("autocomplete")]).toEqual([
      "password",
      "off",
    ]);
  });

  test("the admin secret fetches the schema, queries run with it, and a reload forgets it", async () => {
    await submit("secret", secret);
    await waitForStatus("Schema loaded.");
    await page.getByText("query_root").first().waitFor();
    await run(adminQuery);
    await waitForResult("ACCESS_TOKEN_TTL_SECONDS");
    if (process.env.CONSOLE_SCREENSHOT) await page.screenshot({ path: process.env.CONSOLE_SCREENSHOT });
    expect(problems).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(service.url))).toEqual([]);
    expect(requests.join()).not.toContain(secret);
    expect(await readStorage()).not.toContain(secret);
    expect(await page.content()).not.toContain(secret);
    expect(await page.getByLabel("Credential", { exact: true }).inputValue()).toBe("");

    requests = [];
    await open();
    expect(requests.filter((url) => url.includes("graphql") && !url.includes("/static/"))).toEqual([]);
    await run(adminQuery);
    await waitForResult("access-denied");
  });

  test("a wrong secret shows an error, and the right one works after it", async () => {
    await submit("secret", "wrong");
    await waitForStatus("No schema: ");
    await submit("secret", secret);
    await waitForStatus("Schema loaded.");
  });

  test("a bearer token runs queries and subscriptions as its user", async () => {
    const tokens = tokensOf(await service.client.post("/auth/session/guest"));
    await submit("token", `Bearer ${tokens.access_token}`);
    // Only the admin may introspect.
    await waitForStatus("No schema: ");
    await run("subscription { user_session { id } }");
    await waitForResult(tokens.session_id);
    expect(await readStorage()).not.toContain(tokens.access_token);
  });

  test("the headers tab is stored neither in browser storage nor in a history", async () => {
    await page.getByRole("button", { name: "Headers" }).click();
    await write(".graphiql-editor-tool", JSON.stringify({ "X-Admin-Secret": secret }));
    await run(adminQuery);
    await waitForResult("ACCESS_TOKEN_TTL_SECONDS");
    await run("{ settings_configuration(limit: 1) { value } }");
    await waitForResult("value");
    expect(await readStorage()).not.toContain(secret);
    expect(await readStorage(), "neither are tabs and variables").not.toContain("graphiql");
    expect(await page.getByRole("button", { name: "Show History" }).count()).toBe(0);

    await open();
    await run(adminQuery);
    await waitForResult("access-denied");
  });

  test("what an earlier version of the page stored is deleted", async () => {
    const history = JSON.stringify({ queries: [{ query: "{ a }", headers: secret }] });
    await page.evaluate(`localStorage.setItem("graphiql:queries", ${JSON.stringify(history)})`);
    expect(await readStorage()).toContain(secret);
    await open();
    expect(await readStorage()).not.toContain(secret);
  });
});
