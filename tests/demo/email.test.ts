import { describe, expect } from "vitest";
import { listenForMail } from "../../testing/network/smtp_server.ts";
import { newPhone } from "../../testing/service/people.ts";
import { Mailbox, sendMail } from "../fixtures/email_fixtures.ts";
import { fillIn, hasChromium, press, signIn, test as baseTest } from "./fixtures/demo_fixtures.ts";

const test = baseTest
  .extend("smtp", { scope: "file" }, async ({}, { onCleanup }) => {
    const { stop, ...smtp } = await listenForMail();
    onCleanup(stop);
    return smtp;
  })
  .extend("serviceOptions", { scope: "file" }, ({ smtp }) => ({
    console: true,
    env: { SMTP_URL: `smtp://${smtp.host}` },
  }));

describe.skipIf(!hasChromium)("in Chromium", () => {
  test("an email is added by its code, once the service sends email", async ({ service, smtp, openDemo }) => {
    const page = await openDemo();
    await signIn(page, newPhone());
    await page.getByText("Add an email").click();
    await fillIn(page, { Email: "ada" });
    await press(page, "Send a code there");
    await page.getByRole("alert").filter({ hasText: "such as ada@example.com" }).waitFor();
    await page.getByLabel("Email").and(page.locator(":focus")).waitFor();
    await fillIn(page, { Email: "ada@example.com" });
    await press(page, "Send a code there");
    await page.getByRole("alert").filter({ hasText: "does not offer this" }).waitFor();
    await sendMail(service);
    const mailbox = new Mailbox(smtp.mails);
    await press(page, "Send a code there");
    const code = await mailbox.nextCode("ada@example.com");
    await page.getByLabel("Code from the email").and(page.locator(":focus")).waitFor();
    await fillIn(page, { "Code from the email": code === "000000" ? "000001" : "000000" });
    await press(page, "Verify the email");
    await page.getByRole("alert").filter({ hasText: "Look at the newest email" }).waitFor();
    await fillIn(page, { "Code from the email": code });
    await press(page, "Verify the email");
    await page.getByText("Your email is verified.").waitFor();
    await page.getByText(/^as \+\d+, ada@example\.com$/).waitFor();
    expect(await page.getByText("Change the email").count()).toBe(1);
  });
});
