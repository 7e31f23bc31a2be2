import { describe, expect } from "vitest";
import { chromiumPath } from "../../../testing/browser.ts";
import { settled, test } from "../../../testing/admin_page.ts";
import { newPhone } from "../../../testing/people.ts";
import { storedSetting } from "../../../testing/stored_setting.ts";

// The worker has no credentials of Vonage.
test.override("serviceOptions", { env: { TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}` } });

describe.skipIf(chromiumPath === undefined)("messages", () => {
  test("a text is previewed and measured while it is written, and stored", async ({
    database,
    openSignedIn,
  }) => {
    const { page, problems } = await openSignedIn();
    await page.getByRole("link", { name: "Messages" }).click();
    await page.getByText("000000 is your code for 5 minutes.").waitFor();
    const field = page.getByRole("textbox", { name: "Every message" });
    await field.fill(`{{code}} ist Ihr Code – ${"sehr ".repeat(20)}lang.`);
    await page.locator(".preview").getByText("2 SMS").waitFor();
    await page.locator(".preview").getByText("UCS-2").waitFor();
    await field.fill("No code here");
    await page.getByText("must be a text that holds {{code}}").waitFor();
    await page.getByRole("button", { name: "Save text" }).click();
    await page.getByRole("alert").getByText("{{code}}").waitFor();
    await field.fill("{{code}} opens it.");
    await page.getByRole("button", { name: "Save text" }).click();
    await page.getByText("The text for Every message is in force.").waitFor();
    expect(await storedSetting(database, "OTP_PROVIDER")).toMatchObject({ template: "{{code}} opens it." });
    expect(problems).toEqual([]);
  });

  test("a text for a purpose and language is added, and removed", async ({ database, openSignedIn }) => {
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Messages" }).click();
    await page.getByText("Add a text for a purpose or language").click();
    await page.getByLabel("Purpose").selectOption("LOGIN");
    await page.getByRole("textbox", { name: "Language" }).first().fill("de");
    await page.getByRole("button", { name: "Write it" }).click();
    await page.getByRole("textbox", { name: "LOGIN, de" }).fill("{{code}} ist Ihr Code.");
    await page.getByRole("button", { name: "Save text" }).click();
    await page.getByRole("button", { name: "LOGIN, de" }).waitFor();
    expect(await storedSetting(database, "OTP_PROVIDER")).toMatchObject({
      templates: { LOGIN: { de: "{{code}} ist Ihr Code." } },
    });
    await settled(page);
    await page.getByRole("button", { name: "Remove this text" }).click();
    await page.getByText("is removed.").waitFor();
    expect(await storedSetting(database, "OTP_PROVIDER")).not.toHaveProperty("templates");
  });

  test("a test message arrives, and the page tells what became of it; the limit refuses too many", async ({
    service,
    gateway,
    openSignedIn,
  }) => {
    const phone = newPhone();
    await service.set("OTP_TEST_SENDS", "1/3600");
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Messages" }).click();
    await page.getByRole("textbox", { name: "Phone" }).fill(phone);
    await page.getByRole("button", { name: "Send" }).click();
    expect((await gateway.next(phone)).body).toMatch(/^\d{6} /);
    await page.getByText("An operator sent a test message. Its code verifies nothing.").waitFor();
    await page.getByText("http accepted the message (sms).").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("alert").getByText("The limit OTP_TEST_SENDS is reached").waitFor();
    await page.getByRole("textbox", { name: "Phone" }).fill("123");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("alert").getByText("The phone must be in E.164").waitFor();
  });

  test("the code of a test message opens nothing", async ({ service, gateway, client, openSignedIn }) => {
    const phone = newPhone();
    await service.set("OTP_TEST_SENDS", "10/3600");
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Messages" }).click();
    await page.getByRole("textbox", { name: "Phone" }).fill(phone);
    await page.getByRole("button", { name: "Send" }).click();
    const otp = await gateway.nextCode(phone);
    await page.getByText("http accepted the message (sms).").waitFor();
    await client.post("/auth/register", { phone, password: "correct horse battery" });
    expect((await client.post("/auth/register/verify", { phone, otp })).code).toBe("INVALID_OTP");
    expect((await client.post("/auth/login/otp", { phone, otp })).code).toBe("INVALID_OTP");
  });

  test("the provider is changed, and a wrong one is refused with a sentence", async ({
    database,
    openSignedIn,
  }) => {
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Messages" }).click();
    await page.getByRole("combobox", { name: "Vendor" }).selectOption("twilio");
    await page.getByRole("button", { name: "Save provider" }).click();
    await page.getByRole("alert").getByText("OTP_PROVIDER").waitFor();
    await page.getByLabel("Options of the vendors, as JSON").fill('{"twilio": {"from": "+12125550100"}}');
    await page.getByRole("button", { name: "Save provider" }).click();
    await page.getByText("Messages are sent by twilio from now on.").waitFor();
    expect(await storedSetting(database, "OTP_PROVIDER")).toMatchObject({ providerToUse: "twilio" });
    await page.getByRole("combobox", { name: "Vendor" }).selectOption("vonage");
    await page.getByLabel("Options of the vendors, as JSON").fill('{"vonage": {"from": "Latchkey"}}');
    await page.getByRole("button", { name: "Save provider" }).click();
    await page.getByRole("alert").getByText("no running worker has what vonage needs").waitFor();
  });
});
