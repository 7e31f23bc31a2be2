import { describe, expect } from "vitest";
import type { Page } from "playwright-core";
import { eventually } from "../../testing/eventually.ts";
import { signUp } from "../../testing/service/people.ts";
import {
  ageTokens,
  callInTab,
  countRefreshes,
  hasChromium,
  openClient,
  openGuestIn,
  signIn,
  test,
  untilAllSee,
} from "./fixtures/tab_fixtures.ts";

const hour = 3_600;

describe.skipIf(!hasChromium)("in Chromium", () => {
  test("tabs that need a new token at the same moment rotate once", async ({ service, context, openTab }) => {
    const tabs = [await openTab(), await openTab(), await openTab()] as const;
    await signIn(tabs[0], await signUp(service));
    await ageTokens(tabs[0], hour);
    await untilAllSee(tabs);
    const refreshes = countRefreshes(context);
    expect(await Promise.all(tabs.map(callInTab))).toEqual([null, null, null]);
    expect(refreshes.count).toBe(1);
  });

  test("every tab is notified of a sign-in and a sign-out", async ({ service, openTab }) => {
    const [first, second] = [await openTab(), await openTab()];
    const seenBy = (tab: Page) => tab.evaluate(() => changes);
    await signIn(first, await signUp(service));
    await eventually("the other tab is notified", async () => (await seenBy(second)).length === 1);
    await first.evaluate(() => latchkey.POST("/auth/logout"));
    await eventually("the other tab is notified again", async () => (await seenBy(second)).length === 2);
    for (const tab of [first, second]) expect(await seenBy(tab)).toEqual(["user", null]);
  });

  test("tabs that open at once have one guest, and a reload keeps it", async ({ service, openTab }) => {
    const tabs = [await openTab(), await openTab()] as const;
    const [one, other] = await Promise.all(tabs.map(openGuestIn));
    expect(one).toBeTruthy();
    expect(other).toBe(one);
    await openClient(tabs[0], service.url);
    expect(await tabs[0].evaluate(() => latchkey.session.current?.id)).toBe(one);
  });

  test("a tab that slept while another one refreshed twice uses the newest tokens", async ({
    service,
    context,
    openTab,
  }) => {
    const [sleeper, other] = [await openTab(), await openTab()];
    await sleeper.clock.install();
    await signIn(sleeper, await signUp(service));
    for (const refresh of ["first", "second"]) {
      await ageTokens(other, hour);
      expect(await callInTab(other), refresh).toBeNull();
    }
    // The server would treat the old tokens of the sleeping tab as stolen.
    const refreshes = countRefreshes(context);
    await sleeper.clock.fastForward(2 * hour * 1000);
    expect(await callInTab(sleeper)).toBeNull();
    expect(refreshes.count, "by its own clock the tokens have ended").toBe(1);
    expect(await callInTab(other)).toBeNull();
  });

  test("a device whose clock is wrong by a day refreshes no more than others", async ({
    service,
    context,
    openTab,
  }) => {
    const tab = await openTab();
    const refreshes = countRefreshes(context);
    for (const days of [1, -1]) {
      await tab.clock.setSystemTime(Date.now() + days * 86_400_000);
      await signIn(tab, await signUp(service));
      expect(await callInTab(tab)).toBeNull();
      expect(refreshes.count).toBe(0);
    }
    await ageTokens(tab, hour);
    expect(await callInTab(tab)).toBeNull();
    expect(refreshes.count).toBe(1);
  });

  test("the response to a refresh is lost after the server has rotated: the tab requests it again", async ({
    service,
    context,
    openTab,
  }) => {
    const tab = await openTab();
    await signIn(tab, await signUp(service));
    await ageTokens(tab, hour);
    let lost = 0;
    await context.route("**/auth/session/refresh", async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      await route.abort("connectionreset");
    });
    expect(await callInTab(tab)).toBeNull();
    expect(lost).toBe(2);
    await ageTokens(tab, hour);
    expect(await callInTab(tab), "the tokens of the second answer are the session's").toBeNull();
  });

  test("offline nobody is signed out, and back online everything works at once", async ({
    service,
    context,
    openTab,
  }) => {
    const tab = await openTab();
    await signIn(tab, await signUp(service));
    await tab.evaluate(() => {
      const results: string[] = [];
      Object.assign(globalThis, { results });
      latchkey.live("subscription { user_session { id } }", ({ error }) => results.push(error?.code ?? "rows"));
    });
    const resultsIn = () => tab.evaluate(() => (globalThis as unknown as { results: string[] }).results);
    await eventually("the live query", async () => (await resultsIn()).length === 1);
    await ageTokens(tab, hour);
    await context.setOffline(true);
    expect(await callInTab(tab)).toBe("NETWORK_FAILURE");
    expect(await tab.evaluate(() => latchkey.session.current?.userType)).toBe("user");
    await context.setOffline(false);
    expect(await callInTab(tab)).toBeNull();
    expect(await resultsIn()).not.toContain("access-denied");
  });
});
