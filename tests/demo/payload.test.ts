import { describe, expect } from "vitest";
import { newPhone } from "../../testing/service/people.ts";
import { addApp } from "./fixtures/demo_factors.ts";
import { hasChromium, signIn, test } from "./fixtures/demo_fixtures.ts";

const most = 100_000;

describe.skipIf(!hasChromium)("the page's size", () => {
  test("all that it loads is less than 100 KB, with the code of an app too, from this server alone", async ({
    service,
    openDemo,
  }) => {
    const page = await openDemo();
    await signIn(page, newPhone());
    await addApp(page);
    const entries = await page.evaluate<{ name: string; initiatorType: string; encodedBodySize: number }[]>(
      "[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')].map((entry) => entry.toJSON())",
    );
    expect(entries.filter(({ name }) => !name.startsWith(service.url))).toEqual([]);
    const loaded = entries.filter(({ initiatorType }) => initiatorType !== "fetch");
    expect(loaded.some(({ name }) => name.includes("lean-qr"))).toBe(true);
    const total = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(most);
  });
});
