import type { Page } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import { axeViolations } from "../../testing/browser/axe.ts";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { test } from "../../testing/browser/browser_fixtures.ts";
import { logIn, signUp } from "../../testing/service/people.ts";
import { runRecipe } from "../../testing/documents/run_recipe.ts";
import { curlSample, type Operation, type SecurityScheme } from "../../web/static/docs/code_samples.ts";
import { openApiDocument } from "../../server/rest/openapi/document.ts";

interface Documented extends Operation {
  operationId: string;
  responses: Record<string, unknown>;
}

const document = openApiDocument() as unknown as {
  paths: Record<string, Record<string, Documented>>;
  components: { securitySchemes: Record<string, SecurityScheme> };
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const expectedStatus: Record<string, string> = {
  create_guest_session: "200",
  refresh_session: "200",
  log_out: "200",
  describe_caller: "200",
  list_sessions: "200",
  revoke_session: "200",
  register: "201",
  send_otp: "200",
  check_health: "200",
};

// A new person for each example: some examples end a session or account that the next one needs.
test.for(operations)(
  "the example of $operation.operationId runs against the server, and is answered as documented",
  async ({ path, method, operation }, { service }) => {
    const session = await logIn(service, await signUp(service));
    const sample = curlSample(service.url + path, method, operation, document.components.securitySchemes);
    const status = await runRecipe(`${sample} -s -o /dev/null -w '%{http_code}'`, {
      ACCESS_TOKEN: session.access_token,
      REFRESH_TOKEN: session.refresh_token,
      SESSION_ID: session.session_id,
      X_ADMIN_SECRET: "not the secret",
    });
    expect(Object.keys(operation.responses)).toContain(status);
    expect(status).toBe(expectedStatus[operation.operationId] ?? status);
  },
);

test("the operations whose status is known are in the document", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(ids).toEqual(expect.arrayContaining(Object.keys(expectedStatus)));
});

test("an example stays valid with quotes and tokens in what it sends", () => {
  const example = { name: "O'Neil", refresh_token: "eyJh.eyJi.c2ln" };
  const sample = curlSample(
    "http://localhost/a/{session_id}",
    "post",
    { security: [{ key: [] }], requestBody: { content: { "application/json": { example } } } },
    { key: { type: "apiKey", name: "X-Some-Key" } },
  );
  expect(sample.split(" \\\n  ")).toEqual([
    'curl -X POST "http://localhost/a/$SESSION_ID"',
    '-H "X-Some-Key: $X_SOME_KEY"',
    "-H 'content-type: application/json'",
    `-d '{"name":"O'\\''Neil","refresh_token":"'"$REFRESH_TOKEN"'"}'`,
  ]);
});

test("the list of operations names every one, and where the full reference describes it", async ({ service }) => {
  const page = await (await fetch(`${service.url}/docs`)).text();
  for (const { path, method, operation } of operations) {
    expect(page).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
    expect(page).toContain(`/operation/${operation.operationId}"`);
  }
});

test("the OpenAPI document is compressed, and answered 304 to clients that have it", async ({ service }) => {
  const url = `${service.url}/api/v1/openapi.json`;
  const first = await fetch(url);
  expect(first.headers.get("content-encoding")).toBe("gzip");
  expect(await first.json()).toEqual(openApiDocument());
  const headers = { "if-none-match": first.headers.get("etag") ?? "", "cache-control": "max-age=0" };
  expect((await fetch(url, { headers })).status).toBe(304);
});

test("a cache keeps the OpenAPI document apart for each origin of CORS", async ({ service }) => {
  const server = await service.startAnotherServer({ CORS_ORIGINS: "https://a.example" });
  try {
    const { headers } = await fetch(`${server.url}/api/v1/openapi.json`, {
      headers: { origin: "https://a.example" },
    });
    expect(headers.get("access-control-allow-origin")).toBe("https://a.example");
    expect(headers.get("vary")).toBe("Origin, Accept-Encoding");
  } finally {
    await server.stop();
  }
});

/** The color behind Redoc, which has none of its own; without one it is the browser's. */
const backgroundOfPage = `(() => {
  const { backgroundColor } = getComputedStyle(document.body);
  return backgroundColor === "rgba(0, 0, 0, 0)" ? "rgb(255, 255, 255)" : backgroundColor;
})()`;

/** Returns text whose color is too close to its background (WCAG 2, contrast). */
async function unreadable(page: Page): Promise<string[]> {
  const violations = await axeViolations(page, ["color-contrast"]);
  return violations.flatMap(({ nodes }) =>
    nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ""}`),
  );
}

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  test("the reference shows every route, and a command with this server's address", async ({ service, browser }) => {
    const page = await browser.newPage();
    await page.goto(`${service.url}/docs/reference`);
    await page.getByRole("heading", { name: "Log in by phone or email, and password" }).waitFor();
    const text = (await page.textContent("#reference")) ?? "";
    for (const { path } of operations) expect(text).toContain(path);
    expect(text).toContain(`curl "${service.url}/api/v1/auth/session"`);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/docs.png` });
    await page.close();
  });

  test("an operation of the list leads to its place in the full reference", async ({ service, browser }) => {
    const page = await browser.newPage();
    await page.goto(`${service.url}/docs`);
    await page.getByRole("link", { name: "List the user's sessions" }).click();
    await page.locator("#reference").getByRole("heading", { name: "List the user's sessions" }).waitFor();
    expect(new URL(page.url()).hash).toBe("#tag/auth/operation/list_sessions");
    await page.waitForFunction("scrollY > 500");
    await page.close();
  });

  test.for(["light", "dark"] as const)(
    "the reference can be read in %s colors, and loads nothing from another host",
    async (colorScheme, { service, browser }) => {
      const page = await browser.newPage({ colorScheme });
      onTestFinished(() => page.close());
      const problems: string[] = [];
      const requests: string[] = [];
      page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("request", (request) => requests.push(request.url()));
      await page.goto(`${service.url}/docs/reference#tag/auth/operation/log_in`);
      await page.getByRole("heading", { name: "Log in by phone or email, and password" }).waitFor();
      const [white, background] = ["rgb(255, 255, 255)", await page.evaluate<string>(backgroundOfPage)];
      expect(background === white).toBe(colorScheme === "light");
      if (colorScheme === "dark") {
        // Redoc's own colors, those of white pages, are not ours to judge.
        for (const closed of await page.locator("#reference button[aria-expanded=false]").all()) await closed.click();
        expect(await unreadable(page)).toEqual([]);
      }
      expect(problems).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(service.url) && !/^(blob|data):/.test(url))).toEqual([]);
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/docs_${colorScheme}.png` });
    },
  );
});
