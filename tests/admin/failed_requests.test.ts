import { describe, expect } from "vitest";
import type { Page, Request } from "playwright-core";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { find, secretOf, signIn, test } from "../../testing/browser/admin_page.ts";
import { untilInTime } from "../../testing/browser/until_in_time.ts";

const graphql = "**/v1/graphql";
const views = ["Find", "Delivery", "Messages", "Settings"];

const open = async (page: Page, view: string) => page.getByRole("link", { name: view }).click();

describe.skipIf(chromiumPath === undefined)("a network that fails", () => {
  test("without a connection each view says so, and tries again when asked", async ({ openSignedIn }) => {
    const { page } = await openSignedIn();
    await open(page, "Settings");
    await page.getByText("Digits of a one-time password").waitFor();
    await open(page, "Delivery");
    await page.getByText("Nothing was sent in this period.").waitFor();
    await page.route(graphql, (route) => route.abort());
    for (const view of views) {
      await open(page, view);
      // Until then the alert of the previous view is shown.
      await page.locator("nav a[aria-current=page]", { hasText: view }).waitFor();
      await page.getByRole("alert").getByText("The server cannot be reached.").first().waitFor();
    }
    await page.unroute(graphql);
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page.getByText("Digits of a one-time password").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("an answer that is an error or not JSON is reported, and the shown data stay", async ({ openSignedIn }) => {
    const { page } = await openSignedIn();
    const message = "Something went wrong on our side.";
    await page.route(graphql, (route) =>
      route.fulfill({
        status: 200,
        json: { errors: [{ message, extensions: { code: "unexpected" } }], data: null },
      }),
    );
    await open(page, "Settings");
    await page.getByRole("alert").getByText(message).waitFor();
    await page.unroute(graphql);
    await page.route(graphql, (route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" }));
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("alert").getByText("The server answered 502 without JSON.").waitFor();
    await page.unroute(graphql);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Change OTP_LENGTH" }).click();
    await page.route(graphql, (route) => route.abort());
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("The server cannot be reached.").waitFor();
    expect(await page.getByLabel("New value of OTP_LENGTH").inputValue(), "what was typed stays").toBe("6");
  });

  test("a sign-in that took the server too long says so, and succeeds when it is tried again", async ({
    service,
    openConsole,
  }) => {
    const { page } = await openConsole();
    const late = { message: "The request took too long.", extensions: { code: "timeout" } };
    await page.route(graphql, (route) => route.fulfill({ json: { errors: [late] } }), { times: 1 });
    await signIn(page, secretOf(service));
    await page.getByRole("alert").getByText(late.message).waitFor();
    await page.route(graphql, (route) => route.abort("aborted"), { times: 1 });
    await page.route(graphql, (route) => route.fulfill({ json: { errors: [late] } }), { times: 1 });
    await untilInTime(page, () => signIn(page, secretOf(service)));
    await page.getByRole("heading", { name: "Find a person" }).waitFor();
  });

  test("a slow answer is announced, and nothing is sent twice", async ({ service, openConsole }) => {
    const { page } = await openConsole();
    const held: (() => void)[] = [];
    let count = 0;
    await page.route(graphql, async (route) => {
      count++;
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await signIn(page, secretOf(service));
    const button = page.getByRole("button", { name: "Checking…" });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1);
    held.splice(0).forEach((release) => release());
    // Waits for the view's own announcement: while its code is loaded, another one is shown.
    await page.locator(".answer[aria-busy=true]").getByRole("status").getByText("Loading…").waitFor();
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1);
    expect(count).toBe(2);
    held.splice(0).forEach((release) => release());
    await page.getByText("Nobody has registered yet.").waitFor();
    expect(await page.getByText("Loading…").count()).toBe(0);
  });

  test("a view that is left before its answer comes is not disturbed by it", async ({ openSignedIn }) => {
    const { page, problems } = await openSignedIn();
    const held: (() => void)[] = [];
    await page.route(graphql, async (route) => {
      if (route.request().postData()?.includes("settings_setting"))
        await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await open(page, "Settings");
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1);
    await open(page, "Find");
    held.forEach((release) => release());
    await page.getByRole("heading", { name: "Find a person" }).waitFor();
    expect(await page.getByText("Digits of a one-time password").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("a search whose answer comes late leaves the view that was opened meanwhile", async ({ openSignedIn }) => {
    const { page } = await openSignedIn();
    const held: (() => void)[] = [];
    const isSearch = (request: Request) => request.postData()?.includes("find_account") === true;
    await page.route(graphql, async (route) => {
      if (isSearch(route.request())) await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await find(page, "+12127770001");
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1);
    await open(page, "Events");
    const answered = page.waitForResponse((response) => isSearch(response.request()));
    held.forEach((release) => release());
    await (await answered).finished();
    // The page has handled the answer.
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
    expect(new URL(page.url()).hash).toBe("#/events");
  });
});
