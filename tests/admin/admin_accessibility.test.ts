import { describe, expect } from "vitest";
import type { BrowserContextOptions } from "playwright-core";
import { colorRules } from "../../testing/browser/axe.ts";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { fillAdmin } from "../../testing/browser/admin_data.ts";
import { find, settled, test, violations } from "../../testing/browser/admin_page.ts";
import { logIn, signUp } from "../../testing/service/people.ts";

const filled = test.extend("person", { scope: "file" }, async ({ service, database }) => {
  const person = await signUp(service);
  await logIn(service, person);
  await database.query(
    `insert into "user".factor (id, user_id, kind, label, sealed_secret, pepper_id, confirmed_at)
     select private.new_id(), a.id, 'totp', 'phone', '\\x00', 'test', now() from "user".account a where a.phone = $1`,
    [person.phone],
  );
  await fillAdmin(database);
  return person;
});

const looks: [what: string, options: BrowserContextOptions, rules?: string[]][] = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }, colorRules],
  ["phone", { viewport: { width: 390, height: 844 } }],
];

describe.skipIf(chromiumPath === undefined)("accessibility", () => {
  filled.for(looks)(
    "axe finds nothing wrong in any view: %s",
    async ([, options, rules], { person, openConsole, openSignedIn }) => {
      const form = await openConsole(options);
      expect(await violations(form.page, rules)).toEqual([]);
      const { page } = await openSignedIn(options);
      const check = async (view: string) => {
        await settled(page);
        expect({ view, found: await violations(page, rules) }).toEqual({ view, found: [] });
        // What is wider than its box, or the page than the screen, is out of sight.
        const tooWide = await page.evaluate<string[]>(
          `[document.documentElement, ...document.querySelectorAll("nav, .scroll")].filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.outerHTML.slice(0, 100))`,
        );
        expect({ view, tooWide }).toEqual({ view, tooWide: [] });
      };
      await check("Find");
      await find(page, person.phone);
      await page.getByRole("heading", { name: person.phone }).waitFor();
      await check("Person");
      await page.getByRole("button", { name: "Erase…" }).click();
      await check("the dialog");
      await page.keyboard.press("Escape");
      await find(page, "+12125550199");
      await page.getByRole("button", { name: "Invite…" }).click();
      await check("an invitation");
      await page.keyboard.press("Escape");
      for (const view of ["Sign-ins", "Events", "Delivery", "Messages", "Settings"]) {
        await page.getByRole("link", { name: view }).click();
        await page.getByRole("heading", { name: view, level: 1 }).waitFor();
        await check(view);
        if (view !== "Messages") continue;
        await page.getByText("An example of http").click();
        await check("an example of a vendor");
      }
      await page.getByRole("button", { name: "Change OTP_PROVIDER" }).click();
      await check("a setting that is changed");
      await page.getByRole("button", { name: "Change SECOND_FACTOR" }).click();
      await check("what SECOND_FACTOR does");
    },
  );

  filled("the keyboard is enough, and the focus follows what is shown", async ({ person, openSignedIn }) => {
    const { page } = await openSignedIn();
    const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
    await page.getByRole("searchbox").focus();
    await page.keyboard.type(person.phone);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: person.phone }).waitFor();
    expect(await focused()).toBe(person.phone);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Revoke all sessions…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    expect(await focused()).toBe("Cancel");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await focused()).toBe("Revoke all sessions…");
  });
});
