import { describe, expect } from "vitest";
import { fillAdmin } from "../../testing/browser/admin_data.ts";
import { test } from "../../testing/browser/admin_page.ts";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { withinOneHour } from "../../testing/service/within_one_hour.ts";
import { nameMethods } from "../../web/static/admin/sign_ins/sign_in_methods.ts";

test.for([
  [["pwd"], "password"],
  [["sms"], "code"],
  [["otp"], "code by email"],
  [["pwd", "otp", "mfa"], "password and authenticator app"],
  [["sms", "otp", "mfa"], "code and authenticator app"],
  [["pwd", "swk", "user", "mfa"], "password and passkey"],
  [["hwk", "user", "mfa"], "passkey"],
  [["pwd", "mfa"], "password and recovery code"],
  [["otp", "mfa"], "code by email and second factor"],
  [["face"], "another method"],
] as const)("%s is named %s", ([amr, name]) => {
  expect(nameMethods([...amr])).toBe(name);
});

describe.skipIf(chromiumPath === undefined)("sign-ins", () => {
  test("without one the view says so", async ({ openSignedIn }) => {
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Sign-ins" }).click();
    await page.getByText("Nobody signed in in this period.").waitFor();
  });

  test("sums by method and hour are those of the database", async ({ database, openSignedIn }) => {
    await fillAdmin(database);
    await withinOneHour(database, async () => {
      const [sums] = await database.query<Record<"day" | "strong" | "three_days" | "apps", string>>(
        `select (count(*) filter (where is_of_day))::text as day, (count(*) filter (where is_of_day and 'mfa' = any (amr)))::text as strong,
           count(*)::text as three_days, (count(*) filter (where amr = '{pwd,otp,mfa}'))::text as apps
         from (select s.amr, s.created_at >= date_trunc('hour', now(), 'UTC') - interval '23 hours' as is_of_day from "user".session s where s.amr is not null) s`,
      );
      const { page, problems } = await openSignedIn();
      await page.getByRole("link", { name: "Sign-ins" }).click();
      await page
        .getByRole("img", {
          name: `Sign-ins by hour: ${sums!.day}, ${sums!.strong} with a second factor or a passkey.`,
        })
        .waitFor();
      expect(await page.locator(".plot canvas").count()).toBe(1);
      await page.getByRole("button", { name: "3 days" }).click();
      await page.getByRole("img", { name: `Sign-ins by hour: ${sums!.three_days},` }).waitFor();
      const row = page.getByRole("row", { name: /^password and authenticator app/ });
      expect(await row.getByRole("cell").first().textContent()).toBe(sums!.apps);
      expect(problems).toEqual([]);
    });
  });
});
