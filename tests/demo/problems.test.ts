import { describe, expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { otherCode } from "../../testing/service/other_code.ts";
import { clearRateLimits, newPhone } from "../../testing/service/people.ts";
import { fillIn, hasChromium, logIn, press, register, test, view } from "./fixtures/demo_fixtures.ts";

describe.skipIf(!hasChromium)("in Chromium", () => {
  test("a missing field and a wrong password are reported next to the form, and the field is marked", async ({
    openDemo,
  }) => {
    const page = await openDemo();
    const alert = page.getByRole("alert");
    await press(page, "Use a password");
    await press(page, "Log in");
    await alert.filter({ hasText: "Fill in every field." }).waitFor();
    expect(await page.getByLabel("Phone").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Phone").and(page.locator(":focus")).waitFor();
    await logIn(page, "5550123");
    await alert.filter({ hasText: "with its country code" }).waitFor();
    await logIn(page, newPhone());
    await alert.filter({ hasText: "Phone or password is not correct." }).waitFor();
  });

  test("a wrong code is reported, and so is how long to wait when there are no more", async ({ service, openDemo }) => {
    const page = await openDemo();
    const phone = newPhone();
    const began = performance.now();
    await fillIn(page, { Phone: phone });
    await press(page, "Send me a code");
    const sms = await page.getByText(/is your code/).textContent();
    await fillIn(page, { "Code from the SMS": otherCode(/[0-9]{6}/.exec(sms ?? "")![0]) });
    await press(page, "Sign in");
    const alert = page.getByRole("alert");
    await alert.filter({ hasText: "This is not the code." }).waitFor();
    // Three sends an hour.
    for (let sent = 1; sent < 4; sent++) await press(page, "Send a new code");
    await alert.filter({ hasText: /Too many attempts\.\s+Try again in \d\d:\d\d\./ }).waitFor();
    const waits = page.locator(".problem b");
    const first = await waits.textContent();
    const [minutes, seconds] = first!.split(":").map(Number);
    const left = minutes! * 60 + seconds!;
    expect(left).toBeLessThanOrEqual(3_600);
    expect(left).toBeGreaterThanOrEqual(3_600 - Math.ceil((performance.now() - began) / 1_000));
    await eventually("the time runs", async () => (await waits.textContent()) !== first);
    await clearRateLimits(service, phone);
  });

  test("where only the password is asked, a wrong one is called a wrong password", async ({ openDemo }) => {
    const page = await openDemo();
    await register(page, newPhone());
    await page.getByText("Delete the account", { exact: true }).click();
    const form = page.locator("details[open] form");
    await form.getByLabel("Password").fill("a wrong one");
    await press(page, "Delete my account");
    expect(await page.getByRole("alert").textContent()).toMatch(/^\s*The password is not correct\.\s*$/);
  });

  test("being offline is reported, and signs nobody out", async ({ openDemo }) => {
    const page = await openDemo();
    await register(page, newPhone());
    await page.context().setOffline(true);
    await page.getByText("You are offline.").waitFor();
    await press(page, "Log out");
    await page.getByRole("alert").filter({ hasText: "The service does not answer." }).waitFor();
    expect(await view(page, "You are signed in").count()).toBe(1);
    await page.context().setOffline(false);
    await page.getByText("You are offline.").waitFor({ state: "detached" });
    await press(page, "Log out");
    await page.getByText("You are signed out.").waitFor();
  });

  test("a slow network: the button says so, and a second click sends nothing", async ({ openDemo }) => {
    const page = await openDemo();
    let logins = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    await page.route("**/auth/login", async (route) => {
      logins++;
      await released;
      await route.continue();
    });
    await logIn(page, newPhone());
    await page.getByRole("button", { name: "One moment…" }).waitFor();
    await page.keyboard.press("Enter");
    release(undefined);
    await page.getByRole("alert").waitFor();
    expect(logins).toBe(1);
  });

  test("where the service shows no SMS the page says where it is", async ({ openDemo }) => {
    const page = await openDemo();
    await page.route("**/demo/messages", (route) => route.fulfill({ status: 404, body: "{}" }));
    await fillIn(page, { Phone: newPhone() });
    await press(page, "Send me a code");
    await page.getByText("shows it in the worker’s terminal").waitFor();
  });
});
