import { describe, expect } from "vitest";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { secretOf, signIn, test } from "../../testing/browser/admin_page.ts";

const most = 100_000;

describe.skipIf(chromiumPath === undefined)("the console's size", () => {
  test("all that it loads is less than 100 KB, from this server alone", async ({ service, openConsole }) => {
    const { page } = await openConsole();
    await signIn(page, secretOf(service));
    await page.getByText("Nobody has registered yet.").waitFor();
    const entries = await page.evaluate<{ name: string; encodedBodySize: number }[]>(
      "[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')].map((entry) => entry.toJSON())",
    );
    expect(entries.length).toBeGreaterThan(20);
    expect(entries.filter(({ name }) => !name.startsWith(service.url) && !name.startsWith("data:"))).toEqual([]);
    const total = entries.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    expect(total).toBeGreaterThan(10_000);
    expect(total).toBeLessThan(most);
    await page.getByRole("link", { name: "Delivery" }).click();
    await page.getByText("Nothing was sent in this period.").waitFor();
    const later = await page.evaluate<number>(
      "performance.getEntriesByType('resource').reduce((sum, entry) => sum + entry.encodedBodySize, 0)",
    );
    expect(later - total, "the plots are loaded when they are shown").toBeGreaterThan(20_000);
    expect(later - total).toBeLessThan(most);
  });

  test("its policy allows no inline script or style", async ({ service }) => {
    const policy = (await fetch(`${service.url}/admin`)).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).not.toContain("unsafe");
  });
});
