import { describe, expect } from "vitest";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { fillAdmin } from "../../testing/browser/admin_data.ts";
import { test } from "../../testing/browser/admin_page.ts";
import { storedSetting } from "../../testing/service/stored_setting.ts";
import { withinOneHour } from "../../testing/service/within_one_hour.ts";

describe.skipIf(chromiumPath === undefined)("delivery", () => {
  test("without messages every part says so", async ({ openSignedIn }) => {
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Delivery" }).click();
    await page.getByText("Nothing was sent in this period.").waitFor();
    await page.getByText("No message was passed to a vendor in this period.").waitFor();
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByText("No SMS was requested in this period").waitFor();
  });

  test("sums by country and hour are those of the database, and a country is shown alone", async ({
    database,
    openSignedIn,
  }) => {
    await fillAdmin(database);
    await withinOneHour(database, async () => {
      const [sums] = await database.query<Record<"sent" | "verified" | "jamaica", string>>(
        `select sum(sends)::text as sent, sum(verified)::text as verified, (sum(sends) filter (where subject = 'country:JM'))::text as jamaica
         from private.send_count where subject like 'country:%' and period = 'hour'
           and starts_at > date_trunc('hour', now(), 'UTC') - interval '24 hours'`,
      );
      const { page, problems } = await openSignedIn();
      await page.getByRole("link", { name: "Delivery" }).click();
      await page
        .getByRole("img", {
          name: `Messages by hour, all countries: ${sums!.sent} sent, ${sums!.verified} verified.`,
        })
        .waitFor();
      expect(await page.locator(".plot canvas").count()).toBe(1);
      await page.getByRole("button", { name: "Jamaica" }).click();
      await page.getByRole("img", { name: `Messages by hour, Jamaica: ${sums!.jamaica} sent` }).waitFor();
      await page.getByRole("row", { name: "twilio (sms)" }).waitFor();
      await page.getByRole("button", { name: "7 days" }).click();
      await page.getByRole("img", { name: "Messages by hour, Jamaica" }).waitFor();
      expect(problems).toEqual([]);
    });
  });

  test("a rule is replayed beside the one in force without changing it, and is then put in force", async ({
    database,
    openSignedIn,
  }) => {
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Delivery" }).click();
    await page.getByRole("combobox", { name: "Rule" }).selectOption("FRAUD_BUDGET");
    await page.getByLabel("SMS per hour").fill("10");
    await page.getByRole("button", { name: "Replay" }).click();
    const refused = (title: string) =>
      page
        .locator("table", { hasText: title })
        .getByRole("row", { name: /^Refused/ })
        .locator("td")
        .first();
    await refused("With your rule").waitFor();
    expect(await refused("In force now").textContent()).toBe("0");
    expect(Number(await refused("With your rule").textContent())).toBeGreaterThan(0);
    expect(await storedSetting(database, "FRAUD_BUDGET")).toMatchObject({ mode: "off" });
    await page.getByRole("button", { name: "Put it in force…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put it in force" }).click();
    await page.getByText("FRAUD_BUDGET is in force.").waitFor();
    expect(await storedSetting(database, "FRAUD_BUDGET")).toMatchObject({ mode: "enforce", perHour: 10 });
  });

  test("a rule that the database refuses is shown with its sentence", async ({ openSignedIn }) => {
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Delivery" }).click();
    await page.getByRole("combobox", { name: "Rule" }).selectOption("FRAUD_COUNTRY");
    await page.getByLabel("Unused codes, at least").fill("-1");
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByRole("alert").getByText("FRAUD_COUNTRY").waitFor();
  });
});
