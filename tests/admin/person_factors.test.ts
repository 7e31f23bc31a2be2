import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { find, settled, test as baseTest } from "../../testing/browser/admin_page.ts";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { newPhone, signUp, type Person } from "../../testing/service/people.ts";
import { tokensOf } from "../../testing/service/rest_client.ts";

const test = baseTest
  /** A person with so many apps. */
  .extend("signUpWithFactors", ({ service, database }) => async (labels: string[]): Promise<Person> => {
    const person = await signUp(service);
    await database.query(
      `insert into "user".factor (id, user_id, kind, label, sealed_secret, pepper_id, confirmed_at)
       select private.new_id(), a.id, 'totp', label, '\\x00', 'test', now() from "user".account a, unnest($2::text[]) label where a.phone = $1`,
      [person.phone, labels],
    );
    return person;
  })
  .extend("openFound", ({ openSignedIn }) => async (phone: string): Promise<Page> => {
    const { page } = await openSignedIn();
    await find(page, phone);
    await page.getByRole("heading", { name: phone }).waitFor();
    await settled(page);
    return page;
  });

const confirm = (page: Page, verb: string) => page.getByRole("dialog").getByRole("button", { name: verb }).click();

describe.skipIf(chromiumPath === undefined)("a person's second factors", () => {
  test("one is removed, then all of them, and the sign-in has one step again", async ({
    client,
    signUpWithFactors,
    openFound,
  }) => {
    const { phone, password } = await signUpWithFactors(["phone", "tablet", "work"]);
    const logIn = () => client.post("/auth/login", { phone, password });
    expect((await logIn()).body.error?.details?.reason).toBe("second_factor_required");
    const page = await openFound(phone);
    const factors = page.getByRole("region", { name: "Second factors" });
    await factors.getByRole("button", { name: "Remove Authenticator app “phone”" }).click();
    await confirm(page, "Cancel");
    expect(await factors.getByRole("listitem").count()).toBe(3);
    await factors.getByRole("button", { name: "Remove Authenticator app “phone”" }).click();
    await confirm(page, "Remove");
    await page.getByText("The second factor is removed.").waitFor();
    await factors.getByText("“phone”").waitFor({ state: "detached" });
    await factors.getByRole("button", { name: "Remove all…" }).click();
    await confirm(page, "Remove all");
    await page.getByText("2 second factors were removed.").waitFor();
    await factors.getByText("None: one step signs in.").waitFor();
    expect(tokensOf(await logIn()).session_id).toBeTruthy();
  });

  test("wrong codes that lock them are shown, and forgotten", async ({ database, signUpWithFactors, openFound }) => {
    const { phone } = await signUpWithFactors(["phone"]);
    await database.query(`update "user".account set factor_failures = 100 where phone = $1`, [phone]);
    const page = await openFound(phone);
    const factors = page.getByRole("region", { name: "Second factors" });
    await factors.getByText("locked").waitFor();
    await factors.getByText("100 wrong codes in a row.").waitFor();
    await factors.getByRole("button", { name: "Unlock…" }).click();
    await confirm(page, "Unlock");
    await page.getByText("The second factors can be tried again.").waitFor();
    await factors.getByText("in a row").waitFor({ state: "detached" });
  });

  test("a passkey whose counter went back is shown as one that may be copied", async ({
    database,
    signUpWithFactors,
    openFound,
  }) => {
    const { phone } = await signUpWithFactors(["phone", "key"]);
    await database.query(
      `update "user".factor set counter_went_back_at = now() where label = 'key' and user_id = (select id from "user".account where phone = $1)`,
      [phone],
    );
    const page = await openFound(phone);
    const row = page.getByRole("listitem").filter({ hasText: "“key”" });
    await row.getByText("copied?").waitFor();
    await row.getByText("because its counter went back").waitFor();
    expect(await page.getByText("copied?").count()).toBe(1);
  });

  test("a phone without an account is invited, with an SMS, and the invitation is withdrawn", async ({
    service,
    database,
    gateway,
    openFound,
  }) => {
    const phone = newPhone();
    await service.set("REGISTRATION", "invited");
    const page = await openFound(phone);
    const invitation = page.getByRole("region", { name: "Invitation" });
    await invitation.getByText("None.").waitFor();
    await invitation.getByRole("button", { name: "Invite…" }).click();
    await page.getByLabel("Email of the account").fill("Ada@example.com");
    await page.getByRole("dialog").getByLabel("Last day").fill("2020-01-01");
    await confirm(page, "Invite");
    await page.getByRole("alert").filter({ hasText: "within a year" }).waitFor();
    await page.getByRole("dialog").getByLabel("Last day").fill("");
    await confirm(page, "Invite");
    await page.getByText("The phone is invited, and gets an SMS.").waitFor();
    await invitation.getByText("for ada@example.com").waitFor();
    const stored = () => database.query(`select from "user".invitation where phone = $1`, [phone]);
    expect(await stored()).toHaveLength(1);
    await gateway.next(phone);
    await invitation.getByRole("button", { name: "Withdraw…" }).click();
    await confirm(page, "Withdraw");
    await page.getByText("The invitation is withdrawn.").waitFor();
    expect(await stored()).toHaveLength(0);
  });
});
