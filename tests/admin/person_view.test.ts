import { describe, expect } from "vitest";
import type { Page } from "playwright-core";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { find, settled, test as baseTest } from "../../testing/browser/admin_page.ts";
import { logIn, signUp, type Person } from "../../testing/service/people.ts";

const test = baseTest.extend("openPerson", ({ openSignedIn }) => async (person: Person): Promise<Page> => {
  const { page } = await openSignedIn();
  await find(page, person.phone);
  await page.getByRole("heading", { name: person.phone }).waitFor();
  await settled(page);
  return page;
});

const confirm = async (page: Page, verb: string) =>
  page.getByRole("dialog").getByRole("button", { name: verb }).click();

describe.skipIf(chromiumPath === undefined)("a person", () => {
  test("the story shows codes, deliveries and sign-ins, the latest first and each effect above its cause", async ({
    service,
    gateway,
    client,
    openPerson,
  }) => {
    const person = await signUp(service);
    await logIn(service, person);
    gateway.behave(400);
    await client.sendOtp(person.phone, "LOGIN");
    gateway.behave(200);
    const page = await openPerson(person);
    await page.getByText("Signed in by password").first().waitFor();
    const story = await page.locator(".story > li p:first-child").allTextContents();
    const order = [
      "The request was answered OTP_SEND_FAILED.",
      "http refused to send this message to this recipient (sms).",
      "A code was requested for LOGIN.",
      "Signed in by password: node.",
      "Signed in by code: node.",
      "The account was made.",
      "The right code was typed. It cannot be used again.",
      "A code was requested for SIGNUP.",
    ].map((what) => story.indexOf(what));
    expect(order.filter((place) => place === -1)).toEqual([]);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    await page.getByLabel("Period").selectOption("All that is stored");
    await page.getByText("http refused").waitFor();
  });

  test("one session is revoked, then all of them", async ({ service, database, openPerson }) => {
    const person = await signUp(service);
    const { session_id } = await logIn(service, person);
    await logIn(service, person);
    const live = async () => {
      const rows = await database.query<{ id: string }>(
        `select s.id from "user".session s join "user".account a on a.id = s.user_id where a.phone = $1 and s.revoked_at is null`,
        [person.phone],
      );
      return rows.map(({ id }) => id);
    };
    expect(await live()).toHaveLength(3);
    const page = await openPerson(person);
    await page.getByRole("button", { name: `Revoke session ${session_id}` }).click();
    await confirm(page, "Cancel");
    expect(await live()).toHaveLength(3);
    await page.getByRole("button", { name: `Revoke session ${session_id}` }).click();
    await confirm(page, "Revoke");
    await page.getByText("The session is revoked.").waitFor();
    expect(await live()).not.toContain(session_id);
    await page.getByRole("button", { name: "Revoke all sessions…" }).click();
    await confirm(page, "Revoke");
    await page.getByText("2 sessions were revoked.").waitFor();
    expect(await live()).toEqual([]);
  });

  test("limits are cleared: counts of failed logins and codes restart", async ({ service, client, openPerson }) => {
    const person = await signUp(service);
    for (let i = 0; i < 3; i++) await client.sendOtp(person.phone, "LOGIN");
    expect((await client.sendOtp(person.phone, "LOGIN")).status).toBe(429);
    const page = await openPerson(person);
    await page.getByText(/^refused until/).waitFor();
    await page.getByRole("button", { name: "Clear the limits…" }).click();
    await confirm(page, "Clear them");
    await page.getByText(/limits? (was|were) cleared\./).waitFor();
    await page.getByText("Nothing is counted now").waitFor();
    expect((await client.sendOtp(person.phone, "LOGIN")).status).toBe(200);
  });

  test("disabling needs a reason, is shown to other operators, and is undone", async ({
    service,
    client,
    openPerson,
  }) => {
    const person = await signUp(service);
    const page = await openPerson(person);
    const logInAgain = () => client.post("/auth/login", { phone: person.phone, password: person.password });
    await page.getByRole("button", { name: "Disable…" }).click();
    await confirm(page, "Disable");
    expect((await logInAgain()).status, "the browser requires the reason first").toBe(200);
    await page.getByLabel("Why, for other operators").fill("Sends spam");
    await confirm(page, "Disable");
    await page.locator("header .badge").getByText("disabled").waitFor();
    await page.locator(".facts").getByText("Sends spam").waitFor();
    expect((await logInAgain()).status).toBe(401);
    await page.getByRole("button", { name: "Enable…" }).click();
    await confirm(page, "Enable");
    await page.locator("header .badge").getByText("active").waitFor();
    expect((await logInAgain()).status).toBe(200);
    // The story still tells both: the account itself has forgotten that it was disabled.
    const story = page.locator(".story");
    await story.getByText("An operator disabled the account.").waitFor();
    await story.getByText("Sends spam").waitFor();
    await story.getByText("An operator enabled the account again.").waitFor();
  });

  test("erasing needs the phone typed, and leaves nothing", async ({ service, database, openPerson }) => {
    const person = await signUp(service);
    const count = async () =>
      (await database.query(`select from "user".account where phone = $1`, [person.phone])).length;
    const page = await openPerson(person);
    await page.getByRole("button", { name: "Erase…" }).click();
    const erase = page.getByRole("dialog").getByRole("button", { name: "Erase for good" });
    expect(await erase.isDisabled()).toBe(true);
    await page.getByLabel(/^Type/).fill(person.phone.slice(0, -1));
    expect(await erase.isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await count()).toBe(1);
    await page.getByRole("button", { name: "Erase…" }).click();
    await page.getByLabel(/^Type/).fill(person.phone);
    await erase.click();
    await page.getByRole("heading", { name: "No such account" }).waitFor();
    expect(await count()).toBe(0);
  });
});
