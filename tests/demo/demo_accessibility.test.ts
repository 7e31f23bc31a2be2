import { describe } from "vitest";
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
  for (const colorScheme of ["light", "dark"] as const)
    test(`axe finds nothing in any view: ${colorScheme}`, async ({ openDemo }) => {
      const page = await openDemo({ colorScheme });
      await expectAccessible(page, "sign in");
      await press(page, "Use a password");
      await expectAccessible(page, "log in by password");
      await press(page, "Log in");
      await page.getByRole("alert").waitFor();
      await expectAccessible(page, "an error");
      await press(page, "I forgot my password");
      await expectAccessible(page, "reset");
      await press(page, "Back");
      await press(page, "Register");
      await fillIn(page, { Phone: newPhone(), Password: password });
      await expectAccessible(page, "register");
      await press(page, "Register");
      await fillInCode(page);
      await expectAccessible(page, "code");
      await press(page, "Confirm");
      await view(page, "You are signed in").waitFor();
      await page.getByText("This one").waitFor();
      for (const summary of await page.locator("summary").all()) await summary.click();
      await expectAccessible(page, "account");
      await page.context().setOffline(true);
      await page.getByText("You are offline.").waitFor();
      await expectAccessible(page, "offline");
    });
});
