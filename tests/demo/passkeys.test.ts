import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { newPhone } from "../../testing/service/people.ts";
import { relyingParty } from "../../testing/service/software_authenticator.ts";
import {
  expectAccessible,
  fillIn,
  fillInCode,
  hasChromium,
  press,
  signIn,
  test as baseTest,
  view,
} from "./fixtures/demo_fixtures.ts";

const { origin } = relyingParty;

/**
 * The page as one of http://localhost:3000, which the service's passkeys are for, and where nobody listens: the test
 * passes its requests on to the service. Its device keeps passkeys and verifies its user.
 */
const test = baseTest
  .extend("page", async ({ browser, service }, { onCleanup }): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 390, height: 780 } });
    onCleanup(() => context.close());
    await context.grantPermissions(["local-network-access"], { origin });
    await context.route(`${origin}/**`, async (route) => {
      const url = service.url + route.request().url().slice(origin.length);
      // The demo's messages are for its own page.
      const headers = { ...route.request().headers(), host: new URL(origin).host };
      return route.fulfill({ response: await route.fetch({ url, headers }) });
    });
    const page = await context.newPage();
    await page.goto(`${origin}/demo`);
    await view(page, "Sign in").waitFor();
    return page;
  })
  /** Says whether the device's user is there, who chooses a passkey as soon as the page offers one. */
  .extend("setPresence", { auto: true }, async ({ page }) => {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("WebAuthn.enable");
    const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return (enabled: boolean) => cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  });

const addPasskey = async (page: Page) => {
  await page.getByText("Add a passkey").click();
  await fillIn(page, { "Name of the passkey": "Ada's laptop" });
  await press(page, "Make a passkey");
  await view(page, "Your recovery codes").and(page.locator(":focus")).waitFor();
  await press(page, "I have kept them");
  await page.getByText("Ada's laptop").waitFor();
};

describe.skipIf(!hasChromium)("passkeys in Chromium", () => {
  test("a passkey is added, and signs in by its button", async ({ page }) => {
    const phone = newPhone();
    await signIn(page, phone);
    await page.getByText("None. With one,").waitFor();
    await addPasskey(page);
    await page.getByText("Passkey, added").waitFor();
    await press(page, "Log out");
    await press(page, "Sign in with a passkey");
    await view(page, "You are signed in").waitFor();
    await page.getByText(`as ${phone}`).waitFor();
  });

  test("a passkey is the second step of a sign-in, and confirms what takes a recent one", async ({
    page,
    setPresence,
    database,
  }) => {
    const phone = newPhone();
    await signIn(page, phone);
    await addPasskey(page);
    await press(page, "Log out");
    // Otherwise the autofill of the phone's field would sign in.
    await setPresence(false);
    await fillIn(page, { Phone: phone });
    await press(page, "Send me a code");
    await fillInCode(page);
    await press(page, "Sign in");
    await view(page, "Confirm that it is you").waitFor();
    await setPresence(true);
    await page.getByRole("button", { name: "Use a passkey" }).waitFor();
    expect(await page.getByRole("textbox").count(), "the account has no app, so the page asks for no code").toBe(0);
    await expectAccessible(page, "second step by a passkey");
    await press(page, "I lost my second factor");
    await page.getByLabel("Recovery code").and(page.locator(":focus")).waitFor();
    await press(page, "Use the second factor");
    await press(page, "Use a passkey");
    await view(page, "You are signed in").waitFor();

    await database.query(`update "user".session set authenticated_at = now() - interval '1 hour'`);
    await press(page, "New recovery codes");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Use a passkey" }).and(page.locator(":focus")).waitFor();
    expect(await dialog.getByRole("textbox").count()).toBe(0);
    await expectAccessible(page, "step-up by a passkey");
    await dialog.getByRole("button", { name: "Use a passkey" }).click();
    await view(page, "Your recovery codes").waitFor();
  });

  test("a passkey that is chosen in the autofill of the phone's field signs in", async ({ page }) => {
    const phone = newPhone();
    await signIn(page, phone);
    await addPasskey(page);
    await press(page, "Log out");
    await view(page, "Sign in").waitFor();
    await page.getByLabel("Phone").focus();
    await view(page, "You are signed in").waitFor();
    await page.getByText(`as ${phone}`).waitFor();
  });

  test("a new passkey that the service refuses is called a passkey", async ({ page }) => {
    await signIn(page, newPhone());
    await page.route("**/auth/factors/passkey", (route) =>
      route.fulfill({ status: 400, json: { error: { code: "INVALID_OTP", message: "no", details: null } } }),
    );
    await page.getByText("Add a passkey").click();
    await press(page, "Make a passkey");
    await page.getByRole("alert").filter({ hasText: "This passkey was refused" }).waitFor();
  });

  test("without a passkey the button says that none was used", async ({ page }) => {
    await press(page, "Sign in with a passkey");
    await page.getByRole("alert").filter({ hasText: "No passkey was used" }).waitFor();
  });
});
