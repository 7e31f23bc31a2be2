import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { listenForMail } from "../../testing/network/smtp_server.ts";
import { clearRateLimits, newPhone } from "../../testing/service/people.ts";
import { Mailbox, newEmail, sendMail } from "../fixtures/email_fixtures.ts";
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

const test = baseTest
  .extend("smtp", { scope: "file" }, async ({}, { onCleanup }) => {
    const { stop, ...smtp } = await listenForMail();
    onCleanup(stop);
    return smtp;
  })
  .extend("serviceOptions", { scope: "file" }, ({ smtp }) => ({
    console: true,
    env: { SMTP_URL: `smtp://${smtp.host}` },
  }))
  .extend("mailbox", { scope: "file" }, async ({ service, smtp }) => {
    await sendMail(service);
    return new Mailbox(smtp.mails);
  })
  /** Signs up, and gives the account an email. */
  .extend("signUp", ({ mailbox }) => async (page: Page): Promise<{ phone: string; email: string }> => {
    const [phone, email] = [newPhone(), newEmail()];
    await signIn(page, phone);
    await page.getByText("Add an email").click();
    await fillIn(page, { Email: email });
    await press(page, "Send a code there");
    await fillIn(page, { "Code from the email": await mailbox.nextCode(email) });
    await press(page, "Verify the email");
    await page.getByText("Your email is verified.").waitFor();
    return { phone, email };
  });

/** Nothing is wider than a small phone. */
const expectNarrow = async (page: Page) => {
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
};

describe.skipIf(!hasChromium)("in Chromium", () => {
  test("the page has an email in place of the phone only where the service has it", async ({
    service,
    openDemo,
    mailbox,
  }) => {
    expect(mailbox.recipients).toEqual([]);
    const off = await openDemo();
    expect(await off.getByLabel("Phone", { exact: true }).count()).toBe(1);
    expect(await off.getByLabel("Phone or email").count()).toBe(0);
    expect(await off.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(1);
    await service.set("EMAIL_SIGN_IN", "on");
    await service.set("PASSKEY_SIGN_IN", "off");
    const on = await openDemo();
    expect(await on.getByLabel("Phone or email", { exact: true }).count()).toBe(1);
    expect(await on.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
    for (const link of ["Use a password", "I forgot my password"]) {
      await press(on, link);
      expect(await on.getByLabel("Phone or email", { exact: true }).count()).toBe(1);
    }
    await press(on, "Back");
    await press(on, "Register");
    expect(await on.getByLabel("Phone", { exact: true }).count(), "an account needs a phone").toBe(1);
    await service.set("PASSKEY_SIGN_IN", "on");
  });

  test("a verified email signs in by a code, and resets the password by one", async ({
    service,
    openDemo,
    mailbox,
    signUp,
  }) => {
    await service.set("EMAIL_SIGN_IN", "off");
    const first = await openDemo();
    const { phone, email } = await signUp(first);
    await service.set("EMAIL_SIGN_IN", "on");
    const page = await openDemo();
    await expectNarrow(page);
    await expectAccessible(page, "sign in by phone or email");
    await fillIn(page, { "Phone or email": "ada@example" });
    await press(page, "Send me a code");
    await page.getByRole("alert").filter({ hasText: "such as ada@example.com" }).waitFor();
    await page.getByLabel("Phone or email").and(page.locator(":focus")).waitFor();
    await fillIn(page, { "Phone or email": email });
    await press(page, "Send me a code");
    const code = await mailbox.nextCode(email);
    await page.getByLabel("Code from the email").and(page.locator(":focus")).waitFor();
    expect(await page.getByText("The SMS is on its way").count()).toBe(0);
    await fillIn(page, { "Code from the email": code === "000000" ? "000001" : "000000" });
    await press(page, "Sign in");
    await page.getByRole("alert").filter({ hasText: "Look at the newest email" }).waitFor();
    await expectNarrow(page);
    await expectAccessible(page, "code by email");
    await fillIn(page, { "Code from the email": code });
    await press(page, "Sign in");
    await view(page, "You are signed in").and(page.locator(":focus")).waitFor();
    await page.getByText(`as ${phone}, ${email}`).waitFor();

    await press(page, "Log out");
    await press(page, "Use a password");
    expect(await page.getByLabel("Phone or email").inputValue()).toBe(email);
    await press(page, "I forgot my password");
    await press(page, "Send the code");
    await fillIn(page, {
      "Code from the email": await mailbox.nextCode(email),
      "New password": "another horse battery",
    });
    await press(page, "Set the password");
    await page.getByText("The password is set").waitFor();
    await fillIn(page, { "Phone or email": email, Password: "another horse battery" });
    await press(page, "Log in");
    await view(page, "You are signed in").waitFor();
  });

  test("a lost phone is replaced by the email, after a delay in which another session stops it", async ({
    service,
    openDemo,
    mailbox,
    signUp,
  }) => {
    await service.set("EMAIL_SIGN_IN", "off");
    const first = await openDemo();
    const { phone, email } = await signUp(first);
    await service.set("EMAIL_SIGN_IN", "on");
    await service.set("PHONE_RECOVERY_BY_EMAIL", "on");
    const page = await openDemo();
    await fillIn(page, { "Phone or email": email });
    await press(page, "Send me a code");
    await fillIn(page, { "Code from the email": await mailbox.nextCode(email) });
    await press(page, "Sign in");
    await view(page, "You are signed in").waitFor();
    await page.getByText("Change the phone").first().click();
    const newOne = newPhone();
    await fillIn(page, { "New phone": newOne });
    await press(page, "Send a code there");
    await fillInCode(page);
    await press(page, "Change the phone");
    const isDue = "Somebody who signed in by your email changes your phone";
    await page.getByText("The new phone is verified, and is yours from").waitFor();
    await page.getByText(isDue).waitFor();
    await page.getByText(`as ${phone}`).waitFor();
    await expectNarrow(page);
    await expectAccessible(page, "a change of phone that is due");

    await first.reload();
    await first.getByText(isDue).waitFor();
    await press(first, "Keep the phone");
    await first.getByText("Your phone stays as it is.").waitFor();
    await first.getByText(isDue).waitFor({ state: "detached" });

    await first.getByText("Change the phone").first().click();
    await fillIn(first, { "New phone": newOne });
    await press(first, "Send a code there");
    await first.getByRole("alert").filter({ hasText: "to change the phone, by your email" }).waitFor();

    await service.set("RECOVERY_DELAY_SECONDS", 0);
    await clearRateLimits(service, newOne);
    await page.reload();
    await page.getByText("Change the phone").first().click();
    await fillIn(page, { "New phone": newOne });
    await press(page, "Send a code there");
    await fillInCode(page);
    await press(page, "Change the phone");
    await page.getByText("Your phone is changed").waitFor();
    await page.getByText(`as ${newOne}`).waitFor();
  });
});
