import { describe } from "vitest";
import { colorRules } from "../../testing/browser/axe.ts";
import { newPhone } from "../../testing/service/people.ts";
import {
  expectAccessible,
  fillIn,
  fillInCode,
  hasChromium,
  password,
  press,
  test,
  view,
} from "./fixtures/demo_fixtures.ts";

describe.skipIf(!hasChromium)("in Chromium", () => {
  for (const [colorScheme, rules] of [["light"], ["dark", colorRules]] as const)
    test(`axe finds nothing in any view: ${colorScheme}`, async ({ openDemo }) => {
      const page = await openDemo({ colorScheme });
      const check = (name: string) => expectAccessible(page, name, rules);
      await check("sign in");
      await press(page, "Use a password");
      await check("log in by password");
      await press(page, "Log in");
      await page.getByRole("alert").waitFor();
      await check("an error");
      await press(page, "I forgot my password");
      await check("reset");
      await press(page, "Back");
      await press(page, "Register");
      await fillIn(page, { Phone: newPhone(), Password: password });
      await check("register");
      await press(page, "Register");
      await fillInCode(page);
      await check("code");
      await press(page, "Confirm");
      await view(page, "You are signed in").waitFor();
      await page.getByText("This one").waitFor();
      for (const summary of await page.locator("summary").all()) await summary.click();
      await check("account");
      await page.context().setOffline(true);
      await page.getByText("You are offline.").waitFor();
      await check("offline");
    });
});
