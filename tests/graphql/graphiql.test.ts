import { describe, expect } from "vitest";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { tokensOf } from "../../testing/service/rest_client.ts";
import { adminQuery, secret, test } from "./fixtures/graphiql_fixtures.ts";

test("the policy allows scripts of this server or with the nonce of the response, and no form target", async ({
  service,
}) => {
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
  test("the page opens without an error, and without a request to another host or to GraphQL", async ({
    service,
    graphiqlPage,
  }) => {
    const { page, problems, requests } = graphiqlPage;
    expect(await page.title()).toBe("Latchkey");
    for (const text of [/sponsor/i, /ruru/i]) {
      for (const found of await page.getByText(text).all()) expect(await found.isVisible()).toBe(false);
    }
    expect(problems).toEqual([]);
    expect(requests.length).toBeGreaterThan(5);
    expect(requests.filter((url) => !url.startsWith(`${service.url}/console`))).toEqual([]);
    const field = page.getByLabel("Credential", { exact: true });
    expect([await field.getAttribute("type"), await field.getAttribute("autocomplete")]).toEqual(["password", "off"]);
  });

  test("the admin secret fetches the schema, queries run with it, and a reload forgets it", async ({
    service,
    graphiqlPage,
  }) => {
    const { page, problems, requests, open, submit, run, waitForStatus, waitForResult, readStorage } = graphiqlPage;
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

    requests.splice(0);
    await open();
    expect(requests.filter((url) => url.includes("graphql") && !url.includes("/static/"))).toEqual([]);
    await run(adminQuery);
    await waitForResult("access-denied");
  });

  test("a wrong secret shows an error, and the right one works after it", async ({ graphiqlPage }) => {
    const { submit, waitForStatus } = graphiqlPage;
    await submit("secret", "wrong");
    await waitForStatus("No schema: ");
    await submit("secret", secret);
    await waitForStatus("Schema loaded.");
  });

  test("a bearer token runs queries and subscriptions as its user", async ({ client, graphiqlPage }) => {
    const { submit, run, waitForStatus, waitForResult, readStorage } = graphiqlPage;
    const tokens = tokensOf(await client.post("/auth/session/guest"));
    await submit("token", `Bearer ${tokens.access_token}`);
    // Only the admin may introspect.
    await waitForStatus("No schema: ");
    await run("subscription { user_session { id } }");
    await waitForResult(tokens.session_id);
    expect(await readStorage()).not.toContain(tokens.access_token);
  });

  test("the headers tab is stored neither in browser storage nor in a history", async ({ graphiqlPage }) => {
    const { page, open, write, run, waitForResult, readStorage } = graphiqlPage;
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
});
