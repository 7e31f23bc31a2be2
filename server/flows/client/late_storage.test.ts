import { describe, expect } from "vitest";
import { signUp } from "../../../testing/people.ts";
import {
  ageTokens,
  callInTab,
  countRefreshes,
  delayStorage,
  hasChromium,
  openGuestIn,
  recordedFor,
  signIn,
  test,
  untilAllSee,
} from "./fixtures/tab_fixtures.ts";

const hour = 3_600;

describe.skipIf(!hasChromium)("in Chromium, a tab to which localStorage comes late", () => {
  test("opens no second guest session", async ({ openTab }) => {
    const [first, late] = [await openTab(), await openTab()];
    await delayStorage(late, { looks: 40 });
    const guest = await openGuestIn(first);
    expect(guest).toBeTruthy();
    expect(await openGuestIn(late)).toBe(guest);
  });

  test.for([
    { name: "recorded", delay: { looks: 40 } },
    { name: "not recorded", delay: { ms: 45 } },
  ])(
    "refreshes with the newest token, $name by the tab that got it",
    async ({ name, delay }, { service, context, openTab }) => {
      const [first, late] = [await openTab(), await openTab()];
      await signIn(first, await signUp(service));
      await ageTokens(first, hour);
      await untilAllSee([first, late]);
      await delayStorage(late, delay);
      if (name === "not recorded")
        await first.evaluate(() => {
          IDBFactory.prototype.open = () => {
            throw new DOMException("Denied.", "SecurityError");
          };
        });
      expect(await callInTab(first)).toBeNull();
      const refreshes = countRefreshes(context);
      expect(await callInTab(late)).toBeNull();
      expect(refreshes.count, "the first tab's tokens are new").toBe(0);
    },
  );
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

  test("tokens that cannot be recorded leave no older id, for which tabs would wait", async ({
    service,
    openTab,
  }) => {
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
    const outcome = tab.evaluate(
      () =>
        new Promise((resolve) => {
          const deletion = indexedDB.deleteDatabase("@latchkey/client");
          for (const outcome of ["success", "blocked"])
            deletion.addEventListener(outcome, () => resolve(outcome));
        }),
    );
    expect(await outcome).toBe("success");
  });
});
