import { describe, expect } from "vitest";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { settled, test } from "../../testing/browser/admin_page.ts";
import { signUp } from "../../testing/service/people.ts";
import { storedSetting } from "../../testing/service/stored_setting.ts";

describe.skipIf(chromiumPath === undefined)("settings", () => {
  test("every setting is listed with its meaning, and a search narrows them", async ({ database, openSignedIn }) => {
    const { page, problems } = await openSignedIn();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByText("Digits of a one-time password").waitFor();
    const [known] = await database.query<{ count: number }>("select count(*)::integer from private.setting_definition");
    expect(await page.locator(".settings > li").count()).toBe(known?.count);
    await page.getByLabel("Search").fill("digits");
    await expect.poll(() => page.locator(".settings > li").count(), { timeout: 60_000 }).toBe(1);
    await page.getByLabel("Search").fill("nonsense");
    await page.getByText("No setting matches.").waitFor();
    expect(problems).toEqual([]);
  });

  test("the database refuses a wrong value with its bounds, takes a right one, and goes back to the default", async ({
    database,
    openSignedIn,
  }) => {
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Change OTP_SEND_PER_IDENTIFIER" }).click();
    const field = page.getByLabel("New value of OTP_SEND_PER_IDENTIFIER");
    await field.fill("5000/60");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText('must be text "requests/seconds" with 1 to 1000 requests').waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await storedSetting(database, "OTP_SEND_PER_IDENTIFIER")).toBe("3/3600");
    await field.fill("4/600");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("4 in 10 minutes").waitFor();
    expect(await storedSetting(database, "OTP_SEND_PER_IDENTIFIER")).toBe("4/600");
    await page.getByLabel("Only what differs from its default").check();
    await page.getByRole("button", { name: "Change OTP_SEND_PER_IDENTIFIER" }).click();
    await page.getByRole("button", { name: "Back to the default" }).click();
    await page.getByText("at its default again").waitFor();
    const [definition] = await database.query<{ default_value: string }>(
      "select default_value from private.setting_definition where key = 'OTP_SEND_PER_IDENTIFIER'",
    );
    expect(await storedSetting(database, "OTP_SEND_PER_IDENTIFIER")).toBe(definition?.default_value);
  });

  test("SECOND_FACTOR says whom a value concerns before it is saved", async ({ service, database, openSignedIn }) => {
    const person = await signUp(service);
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Change SECOND_FACTOR" }).click();
    await page.getByText("0 of 1 account have a second factor, and are asked for it").waitFor();
    await page.getByLabel("New value of SECOND_FACTOR").selectOption("required");
    const required = (affected: number, sessions: string) =>
      page.getByText(`${affected} of 1 account have no second factor. Until they add one, their ${sessions} can do`);
    await required(1, "1 live session").waitFor();
    expect(await storedSetting(database, "SECOND_FACTOR")).toBe("optional");
    await database.query(
      `insert into "user".factor (id, user_id, kind, sealed_secret, pepper_id, confirmed_at)
       select private.new_id(), a.id, 'totp', '\\x00', 'test', now() from "user".account a where a.phone = $1`,
      [person.phone],
    );
    await page.getByLabel("New value of SECOND_FACTOR").selectOption("off");
    await page.getByText("1 of 1 account have a second factor. Nobody is asked for it any more").waitFor();
    await page.getByLabel("New value of SECOND_FACTOR").selectOption("required");
    await required(0, "0 live sessions").waitFor();
  });

  test("numbers, words and records are stored with their own type", async ({ database, openSignedIn }) => {
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Settings" }).click();
    const change = async (key: string, enter: () => Promise<unknown>) => {
      await page.getByRole("button", { name: `Change ${key}` }).click();
      await enter();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText(`${key} is in force.`).waitFor();
      await settled(page);
      return storedSetting(database, key);
    };
    const field = (key: string) => page.getByLabel(`New value of ${key}`);
    expect(await change("OTP_LENGTH", () => field("OTP_LENGTH").fill("8"))).toBe(8);
    expect(await change("LOGIN_BY_OTP", () => field("LOGIN_BY_OTP").selectOption("off"))).toBe("off");
    expect(await change("SESSIONS_PER_USER", () => field("SESSIONS_PER_USER").fill("5"))).toBe(5);
    expect(await change("SESSIONS_PER_USER", () => field("SESSIONS_PER_USER").fill("off"))).toBe("off");
    expect(await change("OTP_ORIGINS", () => field("OTP_ORIGINS").fill('["https://app.example.com"]'))).toEqual([
      "https://app.example.com",
    ]);
    await page.getByRole("button", { name: "Change OTP_ORIGINS" }).click();
    await field("OTP_ORIGINS").fill("[oops");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("This is not JSON").waitFor();
  });
});
