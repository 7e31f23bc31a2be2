import { describe, expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { clearRateLimits, newPhone } from "../../testing/service/people.ts";
import {
  fillIn,
  fillInCode,
  hasChromium,
  logIn,
  password,
  press,
  register,
  signIn,
  test,
  view,
} from "./fixtures/demo_fixtures.ts";

describe.skipIf(!hasChromium)("in Chromium", () => {
  test("from registering to the end of the account, and back", async ({ service, openDemo }) => {
    const [phone, otherPhone] = [newPhone(), newPhone()];
    const [first, second] = [await openDemo(), await openDemo()];
    await register(first, phone);
    await first.getByText("No other device is signed in.").waitFor();
    const entries = first.getByRole("listitem");

    await logIn(second, phone);
    await view(second, "You are signed in").waitFor();
    await eventually("the other browser appears", async () => (await entries.count()) === 2);
    await press(first, /^End the session of Chrome on Linux/);
    await second.getByText("You are signed out. This session has ended.").waitFor();
    await eventually("it disappears", async () => (await entries.count()) === 1);

    await logIn(second, phone);
    await view(second, "You are signed in").waitFor();
    await first.getByText("Change the phone").first().click();
    const change = first.getByRole("group").filter({ hasText: "Change the phone" });
    await change.getByLabel("New phone").fill(otherPhone);
    await change.getByLabel("Password").fill(password);
    await press(first, "Send a code there");
    await fillInCode(first);
    await press(first, "Change the phone");
    await first.getByText("Your phone is changed").waitFor();
    await first.getByText(`as ${otherPhone}`).waitFor();
    await second.getByText("You are signed out. This session has ended.").waitFor();

    await press(second, "Use a password");
    await press(second, "I forgot my password");
    await fillIn(second, { Phone: otherPhone });
    await press(second, "Send the code");
    await fillInCode(second);
    await fillIn(second, { "New password": "another horse battery" });
    await press(second, "Set the password");
    await second.getByText("The password is set").waitFor();
    await first.getByText("You are signed out.").waitFor();

    await clearRateLimits(service, otherPhone);
    await press(second, "Use a code");
    await signIn(second, otherPhone);
    expect(await second.getByText("Your account is new.").count()).toBe(0);
    await logIn(first, otherPhone, "another horse battery");
    await view(first, "You are signed in").waitFor();
    await press(first, "Sign out everywhere");
    await first.getByText("You are signed out everywhere.").waitFor();
    await second.getByText("You are signed out. This session has ended.").waitFor();

    await logIn(first, otherPhone, "another horse battery");
    await first.getByText("Delete the account").click();
    const deletion = first.getByRole("group").filter({ hasText: "Delete the account" });
    await deletion.getByLabel("Password").fill("another horse battery");
    await press(first, "Delete my account");
    await first.getByText("Your account is deleted.").waitFor();
    await logIn(first, otherPhone, "another horse battery");
    await first.getByText("The deletion of your account is undone.").waitFor();
  });

  test("a new phone signs up in one box, sets a password, and logs in with it", async ({ openDemo }) => {
    const page = await openDemo();
    const phone = newPhone();
    await signIn(page, phone);
    await page.getByText("Welcome. Your account is new.").waitFor();
    await page.getByText(`as ${phone}`).waitFor();
    await page.getByText("Set a password").first().click();
    await fillIn(page, { "New password": "short" });
    await press(page, "Set the password");
    await page.getByRole("alert").filter({ hasText: "too short" }).waitFor();
    await page.getByLabel("New password").and(page.locator(":focus")).waitFor();
    await fillIn(page, { "New password": password });
    await press(page, "Set the password");
    await page.getByText("Your password is set").waitFor();
    await press(page, "Log out");
    await logIn(page, phone);
    await view(page, "You are signed in").waitFor();
  });

  test("by the keyboard alone", async ({ openDemo }) => {
    const page = await openDemo();
    const { keyboard } = page;
    const tabTo = async (name: string | RegExp) => {
      for (let step = 0; step < 20; step++) {
        await keyboard.press("Tab");
        const focused = page.locator(":focus");
        if ((await focused.count()) > 0) {
          const named = await focused.evaluate((element) => {
            const { labels, textContent } = element as unknown as {
              labels?: { textContent: string }[];
              textContent: string;
            };
            return (labels?.[0]?.textContent ?? textContent).trim();
          });
          if (typeof name === "string" ? named === name : name.test(named)) return;
        }
      }
      throw new Error(`Tab does not reach ${String(name)}`);
    };
    await tabTo("Phone");
    await keyboard.type(newPhone());
    await keyboard.press("Enter");
    // The page has moved the focus to the code.
    await page.getByLabel("Code from the SMS").and(page.locator(":focus")).waitFor();
    const text = await page.getByText(/is your code/).textContent();
    await keyboard.type(/\d+/.exec(text ?? "")?.[0] ?? "");
    await keyboard.press("Enter");
    await view(page, "You are signed in").and(page.locator(":focus")).waitFor();
    await tabTo("Log out");
    await keyboard.press("Enter");
    await page.getByText("You are signed out.").waitFor();
  });

  test("the focus moves with the view, before another key can be handled", async ({ openDemo }) => {
    const page = await openDemo();
    const link = await page.getByRole("button", { name: "Use a password" }).elementHandle();
    // Promise callbacks run before the next event, timers and frames do not.
    const focused = await page.evaluate(async (button) => {
      (button as unknown as { click: () => void }).click();
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      return (globalThis as unknown as { document: { activeElement: { textContent: string } } }).document.activeElement
        .textContent;
    }, link);
    expect(focused).toBe("Log in by password");
    expect(await view(page, "Log in by password").count()).toBe(1);
  });
});
