import { describe, expect } from "vitest";
import type { Page } from "playwright-core";
import { signUp } from "../../testing/service/people.ts";
import {
  ageTokens,
  callInTab,
  countRefreshes,
  delayStorage,
  hasChromium,
  openGuestIn,
  recordedFor,
  signIn,
  storedIn,
  test,
  untilAllSee,
} from "./fixtures/tab_fixtures.ts";

const hour = 3_600;

const breakDatabase = (tab: Page): Promise<void> =>
  tab.evaluate(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("Denied.", "SecurityError");
    };
  });

describe.skipIf(!hasChromium)("in Chromium, a tab that sees late what others store", () => {
  test("opens no second guest session", async ({ openTab }) => {
    const [first, late] = [await openTab(), await openTab()];
    const guest = await openGuestIn(first);
    expect(guest).toBeTruthy();
    await untilAllSee([first, late]);
    await delayStorage(late, null, { looks: 10 });
    expect(await openGuestIn(late)).toBe(guest);
  });

  test.for([
    { name: "because their id is recorded", hasDatabase: true, delay: { looks: 10 } },
    { name: "because it waits a little where IndexedDB fails", hasDatabase: false, delay: { ms: 45 } },
  ])("uses the newest tokens, $name", async ({ hasDatabase, delay }, { service, context, openTab }) => {
    const [first, late] = [await openTab(), await openTab()];
    if (!hasDatabase) for (const tab of [first, late]) await breakDatabase(tab);
    await signIn(first, await signUp(service));
    await ageTokens(first, hour);
    const before = await storedIn(first);
    expect(await callInTab(first)).toBeNull();
    await untilAllSee([first, late]);
    await delayStorage(late, before, delay);
    const refreshes = countRefreshes(context);
    expect(await callInTab(late)).toBeNull();
    expect(refreshes.count, "the first tab has refreshed").toBe(0);
  });
});

describe.skipIf(!hasChromium)("in Chromium", () => {
  test("a storage that another program has cleared is waited for once, and opens another guest session", async ({
    context,
    openTab,
  }) => {
    const tab = await openTab();
    const guest = await openGuestIn(tab);
    expect(guest).toBeTruthy();
    expect(await recordedFor(tab)).toBeTruthy();
    await tab.evaluate(() => localStorage.clear());
    await context.route("**/auth/session/guest", (route) => route.abort());
    expect(await openGuestIn(tab), "without a network").toBeUndefined();
    expect(await recordedFor(tab)).toBeUndefined();
    await context.unroute("**/auth/session/guest");
    const other = await openGuestIn(tab);
    expect(other).toBeTruthy();
    expect(other).not.toBe(guest);
  });

  test("tokens that cannot be recorded leave no older id, for which tabs would wait", async ({ service, openTab }) => {
    const tab = await openTab();
    await openGuestIn(tab);
    expect(await recordedFor(tab)).toBeTruthy();
    await tab.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("Full.", "QuotaExceededError");
      };
    });
    expect(await signIn(tab, await signUp(service))).toBeUndefined();
    expect(await recordedFor(tab)).toBeUndefined();
  });

  test("a page can delete the client's database", async ({ openTab }) => {
    const tab = await openTab();
    await openGuestIn(tab);
    const databases = () => tab.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
    expect(await databases()).toEqual(["@latchkey/client"]);
    const outcome = tab.evaluate(
      () =>
        new Promise((resolve) => {
          const deletion = indexedDB.deleteDatabase("@latchkey/client");
          for (const outcome of ["success", "blocked"]) deletion.addEventListener(outcome, () => resolve(outcome));
        }),
    );
    expect(await outcome).toBe("success");
  });
});
