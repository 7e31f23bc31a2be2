import { describe, expect } from "vitest";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { secretOf, signIn, test } from "../../testing/browser/admin_page.ts";

describe.skipIf(chromiumPath === undefined)("signing in to the console", () => {
  test("a wrong secret is refused with a sentence, and the right one opens it", async ({ service, openConsole }) => {
    const { page } = await openConsole();
    for (const wrong of ["not the secret", "не секрет"]) {
      await signIn(page, wrong);
      await page.getByRole("alert").getByText("The server does not accept this secret.").waitFor();
    }
    expect(await page.getByRole("navigation").count()).toBe(0);
    await signIn(page, secretOf(service));
    await page.getByRole("heading", { name: "Find a person" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.tagName"), { timeout: 60_000 }).toBe("H1");
  });

  test("the secret is in no storage, cookie or URL, and is gone after a reload", async ({ service, openSignedIn }) => {
    const { page, problems } = await openSignedIn();
    const urls: string[] = [];
    page.on("request", (request) => urls.push(request.url()));
    page.on("websocket", (socket) => urls.push(socket.url()));
    for (const view of ["Delivery", "Messages", "Settings", "Find"])
      await page.getByRole("link", { name: view }).click();
    const stored = await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])",
    );
    expect(stored).toBe(JSON.stringify([{}, {}, "", `${service.url}/admin#/find`, null]));
    expect(await page.evaluate<unknown[]>("indexedDB.databases()")).toEqual([]);
    expect([...urls, page.url()].filter((url) => url.includes(secretOf(service)))).toEqual([]);
    expect(await page.content()).not.toContain(secretOf(service));
    await page.reload();
    await page.getByLabel("Admin secret").waitFor();
    expect(await page.getByRole("navigation").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("signing out removes the secret and the person", async ({ service, openSignedIn }) => {
    const { page } = await openSignedIn();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Admin secret").waitFor();
    await signIn(page, secretOf(service));
    await page.getByRole("heading", { name: "Find a person" }).waitFor();
  });

  test("a secret that is not accepted any more leads back to the form, with the reason", async ({ openSignedIn }) => {
    const { page } = await openSignedIn();
    await page.route("**/v1/graphql", (route) => route.fulfill({ status: 401, json: { errors: [] } }));
    // Not by a click: the view that is open asks the server as well, and its refusal may remove the link first.
    await page.evaluate("location.hash = '#/settings'");
    await page.getByText("The server does not accept this secret.").waitFor();
    await page.getByLabel("Admin secret").waitFor();
  });
});
