import { describe, expect } from "vitest";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { settled, test as baseTest } from "../../testing/browser/admin_page.ts";
import { newPhone } from "../../testing/service/people.ts";
import { storedSetting } from "../../testing/service/stored_setting.ts";
import { vendors } from "../../web/static/admin/messages/provider_options.ts";

// The worker has no credentials of Vonage.
const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({
  env: { TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}` },
}));

describe.skipIf(chromiumPath === undefined)("messages", () => {
  test("a text is previewed and measured while it is written, and stored", async ({ database, openSignedIn }) => {
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
    const texts = page.getByRole("region", { name: "Texts" });
    await texts.getByLabel("Purpose").selectOption("LOGIN");
    await texts.getByLabel("Language").fill("de");
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
    await page.getByRole("alert").getByText("phone: the phone is not valid").waitFor();
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

  test("the provider is changed by fields, and a wrong one is refused with a sentence", async ({
    database,
    openSignedIn,
  }) => {
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Messages" }).click();
    const vendor = page.getByRole("combobox", { name: "Vendor" });
    const save = () => page.getByRole("button", { name: "Save provider" }).click();
    await vendor.selectOption("twilio");
    await save();
    await page.getByRole("alert").getByText("OTP_PROVIDER").waitFor();
    const twilio = page.getByRole("group", { name: "twilio" });
    await twilio.getByLabel(/^from /).fill("+12125550100");
    await twilio.getByLabel(/^channel /).selectOption("whatsapp");
    await save();
    await page.getByRole("alert").getByText("contentSid must have default.default").waitFor();
    const ids = { default: `HX${"0".repeat(31)}1`, PHONE_CHANGED: `HX${"0".repeat(31)}3` };
    await twilio.getByText("Add contentSid for a purpose and language").click();
    for (const [purpose, id] of Object.entries(ids)) {
      await twilio.getByLabel("Purpose").selectOption(purpose);
      await twilio.getByLabel("Language").fill("default");
      await twilio.getByRole("button", { name: "Add it" }).click();
      await twilio.getByLabel(`contentSid for ${purpose}, default`).fill(id);
    }
    // Added, and left empty: left out.
    await twilio.getByLabel("Language").fill("de");
    await twilio.getByRole("button", { name: "Add it" }).click();
    await save();
    await page.getByText("Messages are sent by twilio from now on.").waitFor();
    expect(await storedSetting(database, "OTP_PROVIDER")).toMatchObject({
      providerToUse: "twilio",
      twilio: {
        from: "+12125550100",
        channel: "whatsapp",
        contentSid: { default: { default: ids.default }, PHONE_CHANGED: { default: ids.PHONE_CHANGED } },
      },
    });
    await vendor.selectOption("vonage");
    await page
      .getByRole("group", { name: "vonage" })
      .getByLabel(/^from /)
      .fill("Latchkey");
    await save();
    await page.getByRole("alert").getByText("no running worker has what vonage needs").waitFor();
  });

  test("what the form has no field for stays, and can be changed as JSON", async ({
    service,
    database,
    openSignedIn,
  }) => {
    const stored = {
      providerToUse: "http",
      template: "{{code}} is your code.",
      templates: { LOGIN: { de: "{{code}} ist Ihr Code." } },
      http: { url: "https://sms.example.com/send", entityId: "1101234567890123456" },
      twilio: { from: "+12125550100" },
      vonage: { from: "Shop", contentId: { default: { default: "1107234567890123456" } } },
      smtp: { from: "codes@shop.example" },
      routes: { "+91": { providerToUse: "http", http: { url: "https://in.example.com/send" } } },
    };
    await service.set("OTP_PROVIDER", { ...stored, fallback: ["twilio"] });
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Messages" }).click();
    const save = () => page.getByRole("button", { name: "Save provider" }).click();
    await page
      .getByRole("group", { name: "http" })
      .getByLabel(/^entityId /)
      .fill("");
    await page.getByLabel(/^Fallback/).fill("");
    await save();
    await page.getByText("Messages are sent by http from now on.").waitFor();
    expect(await storedSetting(database, "OTP_PROVIDER")).toEqual({
      ...stored,
      http: { url: stored.http.url },
    });
    await settled(page);
    const others = page.getByLabel(/^Other members, as JSON/);
    const { smtp, routes } = stored;
    expect(JSON.parse(await others.inputValue())).toEqual({ smtp, routes });
    await others.fill('{"vonage": {}}');
    await save();
    await page.getByRole("alert").getByText("vonage has a field of its own").waitFor();
    await others.fill("{}");
    await save();
    await expect.poll(() => storedSetting(database, "OTP_PROVIDER")).not.toHaveProperty("smtp");
  });
});

test("the form has a field for every option of every vendor of SMS, and PostgreSQL takes each example", async ({
  database,
}) => {
  for (const [vendor, { options, example }] of Object.entries(vendors)) {
    const [row] = await database.query<{ fault: string; none: string | null }>(
      "select private.provider_options_fault($1, $2::jsonb || '{\"zz\": 1}') as fault, private.provider_fault($3) as none",
      [vendor, JSON.stringify(example[vendor] ?? {}), JSON.stringify(example)],
    );
    const names = options.map(({ name }) => name).join(", ") || "no member";
    expect(row).toEqual({ fault: `${vendor} may have ${names}, not zz`, none: null });
  }
  const [row] = await database.query<{ fault: string }>("select private.provider_fault('{}') as fault");
  expect(
    row?.fault
      .split(/ of |, /)
      .slice(1)
      .sort(),
  ).toEqual(Object.keys(vendors).sort());
});
