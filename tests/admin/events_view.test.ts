import { describe, expect } from "vitest";
import { fillAdmin } from "../../testing/browser/admin_data.ts";
import { find, settled, test as baseTest } from "../../testing/browser/admin_page.ts";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { eventTypes } from "../../web/static/admin/events/event_types.ts";

const test = baseTest.extend("filled", { scope: "file" }, async ({ database }) => {
  await fillAdmin(database);
  return database;
});

test("the console knows every type of event", async ({ database }) => {
  const [row] = await database.query<{ types: string[] }>("select private.event_types() as types");
  expect([...eventTypes].sort()).toEqual(row?.types.sort());
});

describe.skipIf(chromiumPath === undefined)("events", () => {
  test("a setting's change is told with who did it, key, old and new value", async ({ filled: _, openSignedIn }) => {
    const { page, problems } = await openSignedIn();
    await page.getByRole("link", { name: "Events" }).click();
    await page.getByLabel("Type").selectOption("setting.changed");
    const rows = page.getByRole("region", { name: "Events" }).getByRole("row");
    await settled(page);
    await rows.filter({ hasText: "OTP_LENGTH" }).first().waitFor();
    const cells = await rows.filter({ hasText: "OTP_LENGTH" }).first().getByRole("cell").allTextContents();
    expect(cells.map((cell) => cell.trim())).toEqual(["setting.changed", "admin:alice", "OTP_LENGTH", "6 → 8"]);
    expect(problems).toEqual([]);
  });

  test("the filters by person and time show that person's events of that time, page by page", async ({
    filled,
    openSignedIn,
  }) => {
    const [account] = await filled.query<{ id: string; phone: string; count: number }>(
      `select a.id, a.phone, count(*)::integer as count from platform.event e join "user".account a on a.id = e.user_id group by 1, 2 order by 3, 2 limit 1`,
    );
    const { page } = await openSignedIn({ timezoneId: "UTC" });
    await page.getByRole("link", { name: "Events" }).click();
    const body = page.getByRole("region", { name: "Events" }).locator("tbody tr");
    await body.nth(24).waitFor();
    expect(await body.count()).toBe(25);
    const newest = await body.first().textContent();
    await page.getByRole("button", { name: "Older" }).click();
    await settled(page);
    expect(await body.first().textContent()).not.toBe(newest);
    await page.getByRole("searchbox", { name: "Person" }).fill("+12125559999");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("There is no account of this person.").waitFor();
    expect(await body.count(), "the events of everybody or of another person").toBe(0);
    await page.getByRole("searchbox", { name: "Person" }).fill(account!.phone);
    await page.getByRole("button", { name: "Show" }).click();
    await settled(page);
    await expect.poll(() => body.count()).toBe(account!.count);
    expect(await body.first().textContent()).toContain(account!.id.slice(-8));
    await page.getByLabel("From", { exact: true }).fill("2001-01-01");
    await page.getByLabel("To", { exact: true }).fill("2001-01-02");
    await page.getByText("Nothing of this kind is recorded.").waitFor();
  });

  test("a subscription is added, refused with a sentence, replayed, turned off and deleted", async ({
    filled,
    openSignedIn,
  }) => {
    const { page } = await openSignedIn();
    await page.getByRole("link", { name: "Events" }).click();
    const row = (name: string) => page.getByRole("region", { name: "Subscriptions" }).getByRole("row", { name });
    await row("ledger").getByText("fails: HTTP 503").waitFor();
    const counts = await row("ledger").locator(".number").allTextContents();
    expect(counts).toEqual(["12", "3"]);
    await row("old").getByText("off", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Add a subscription…" }).click();
    await page.getByLabel("Name", { exact: true }).fill("desk");
    await page.getByLabel("Address").fill("hooks.example.com");
    await page.getByLabel("Name of its secret in EVENT_SECRETS").fill("desk");
    await page.getByRole("checkbox", { name: "setting.changed" }).check();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("url must be an address such as https://hooks.example.com/latchkey").waitFor();
    await page.getByLabel("Address").fill("https://hooks.example.com/desk");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await row("desk").getByText("on", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Replay events of desk" }).click();
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await page.getByText(/events? (is|are) sent to desk again\./).waitFor();
    await page.getByRole("button", { name: "Turn off desk" }).click();
    await page.getByRole("button", { name: "Turn off", exact: true }).click();
    await row("desk").getByText("off", { exact: true }).waitFor();
    expect(await filled.query("select types, enabled from settings.event_subscription where id = 'desk'")).toEqual([
      { types: ["setting.changed"], enabled: false },
    ]);
    await page.getByRole("button", { name: "Delete desk" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await row("desk").waitFor({ state: "detached" });
  });

  test("an event opens the person that it concerns", async ({ filled: _, openSignedIn }) => {
    const { page } = await openSignedIn();
    await find(page, "+12127770001");
    await page.getByRole("link", { name: "Events" }).click();
    await page
      .getByRole("button", { name: /^account …/ })
      .first()
      .click();
    await page.getByRole("heading", { level: 1, name: /^\+1212777/ }).waitFor();
  });
});
