import { describe } from "vitest";
import { colorRules } from "../../testing/browser/axe.ts";
import { newPhone } from "../../testing/service/people.ts";
import { totp } from "../fixtures/factor_fixtures.ts";
import { addApp } from "./fixtures/demo_factors.ts";
import {
  expectAccessible,
  fillIn,
  fillInCode,
  hasChromium,
  logIn,
  password,
  press,
  test,
  view,
} from "./fixtures/demo_fixtures.ts";

describe.skipIf(!hasChromium)("in Chromium", () => {
  for (const [colorScheme, rules] of [["light"], ["dark", colorRules]] as const)
    test(`axe finds nothing in any view: ${colorScheme}`, async ({ database, openDemo }) => {
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
      const phone = newPhone();
      await fillIn(page, { Phone: phone, Password: password });
      await check("register");
      await press(page, "Register");
      await fillInCode(page);
      await check("code");
      await press(page, "Confirm");
      await view(page, "You are signed in").waitFor();
      await page.getByText("This one").waitFor();
      const summaries = await page.locator("summary").all();
      for (const summary of summaries) await summary.click();
      await check("account");
      for (const summary of summaries) await summary.click();
      const secret = await addApp(page, () => check("QR code"));
      await check("recovery codes");
      await press(page, "I have kept them");
      await press(page, "Log out");
      await logIn(page, phone);
      await view(page, "Confirm that it is you").waitFor();
      await check("second step");
      await press(page, "I lost my second factor");
      await check("recovery code");
      await press(page, "Use the second factor");
      await fillIn(page, { "Code from the app": totp(secret, 1) });
      await press(page, "Sign in");
      await view(page, "You are signed in").waitFor();
      await page.getByText("Ada's phone").waitFor();
      await page.getByText("This one").waitFor();
      await check("account with a second factor");
      await database.query(`update "user".session set authenticated_at = now() - interval '1 hour'`);
      await press(page, "New recovery codes");
      await page.getByRole("dialog").waitFor();
      await check("step-up");
      await press(page, "Cancel");
      await page.context().setOffline(true);
      await page.getByText("You are offline.").waitFor();
      await check("offline");
    });
});
