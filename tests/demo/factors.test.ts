import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { newPhone } from "../../testing/service/people.ts";
import { totp, wrongCode } from "../fixtures/factor_fixtures.ts";
import {
  fillIn,
  fillInCode,
  hasChromium,
  password,
  press,
  register,
  signIn,
  test,
  view,
} from "./fixtures/demo_fixtures.ts";
import { addApp } from "./fixtures/demo_factors.ts";

const enter = async (page: Page, code: string) => {
  await fillIn(page, { "Code from the app": code });
  await press(page, "Sign in");
};

/** Does the first step of a sign-in, in one box. */
async function signInFirst(page: Page, phone: string): Promise<void> {
  await fillIn(page, { Phone: phone });
  await press(page, "Send me a code");
  await fillInCode(page);
  await press(page, "Sign in");
  await view(page, "Confirm that it is you").waitFor();
}

describe.skipIf(!hasChromium)("in Chromium", () => {
  test("an app is added by its key, its recovery codes are shown once, and the next sign-in asks for it", async ({
    openDemo,
  }) => {
    const page = await openDemo();
    const phone = newPhone();
    await signIn(page, phone);
    await page.getByText("None. With one,").waitFor();
    const secret = await addApp(page, async (key) => {
      await page.getByRole("img", { name: "QR code" }).locator("svg").waitFor();
      await fillIn(page, { "Code from the app": wrongCode(key) });
      await press(page, "Confirm");
      await page.getByRole("alert").filter({ hasText: "Type the one that the app shows now" }).waitFor();
      await page.getByLabel("Code from the app").and(page.locator(":focus")).waitFor();
    });
    await view(page, "Your recovery codes").and(page.locator(":focus")).waitFor();
    const codes = await page.locator(".recovery li").allTextContents();
    expect(new Set(codes).size).toBe(10);
    await press(page, "I have kept them");
    await page.getByText("Ada's phone").waitFor();
    expect(await page.getByText(codes[0] ?? "").count()).toBe(0);

    await press(page, "Log out");
    await signInFirst(page, phone);
    await page.getByLabel("Code from the app").and(page.locator(":focus")).waitFor();
    await enter(page, wrongCode(secret));
    await page.getByRole("alert").waitFor();
    await enter(page, totp(secret, 1));
    await view(page, "You are signed in").and(page.locator(":focus")).waitFor();

    await press(page, "Log out");
    await signInFirst(page, phone);
    await press(page, "I lost my second factor");
    await page.getByLabel("Recovery code").and(page.locator(":focus")).waitFor();
    await press(page, "Sign in");
    await page.getByRole("alert").filter({ hasText: "Fill in every field" }).waitFor();
    await page.locator("[aria-invalid=true]").and(page.locator(":focus")).waitFor();
    await fillIn(page, { "Recovery code": "AAAAA-AAAAA" });
    await press(page, "Sign in");
    await page.getByRole("alert").filter({ hasText: "no recovery code of yours" }).waitFor();
    await page.getByLabel("Recovery code").and(page.locator(":focus")).waitFor();
    await fillIn(page, { "Recovery code": codes[0] ?? "" });
    await press(page, "Sign in");
    await view(page, "You are signed in").waitFor();

    await press(page, "New recovery codes");
    await view(page, "Your recovery codes").waitFor();
    expect(await page.locator(".recovery li").allTextContents()).not.toContain(codes[1]);
    await press(page, "I have kept them");
    await press(page, "Remove: Ada's phone");
    await page.getByText("Ada's phone is removed.").waitFor();
    await page.getByText("None. With one,").waitFor();
  });

  test("printed, the page is the recovery codes, and whose they are", async ({ openDemo }) => {
    const page = await openDemo();
    await signIn(page, newPhone());
    await addApp(page);
    await view(page, "Your recovery codes").waitFor();
    await page.emulateMedia({ media: "print" });
    const text = await page.locator("main").innerText();
    expect(text).toMatch(/^Your recovery codes\n/);
    expect(text).toContain(`For ${new URL(page.url()).host}`);
    expect(text).not.toMatch(/I have kept them|Sign-in demo|Your sessions|Log out|Delete the account|API reference/);
  });

  test("five wrong codes end a sign-in, which starts again", async ({ openDemo }) => {
    const page = await openDemo();
    const phone = newPhone();
    await signIn(page, phone);
    const secret = await addApp(page);
    await press(page, "I have kept them");
    await press(page, "Log out");
    await signInFirst(page, phone);
    for (let attempt = 1; attempt <= 5; attempt++) {
      await enter(page, wrongCode(secret));
      await page.getByRole("alert").waitFor();
    }
    await enter(page, totp(secret, 1));
    await page.getByRole("alert").filter({ hasText: "Try again in a while, from the start." }).waitFor();
    await press(page, "Start again");
    await view(page, "Sign in").and(page.locator(":focus")).waitFor();
  });

  test("a session that is old confirms by the password or a code first, then sees its second factors", async ({
    database,
    openDemo,
  }) => {
    const page = await openDemo();
    const phone = newPhone();
    await register(page, phone);
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    const age = async () => {
      await page.getByText("None. With one,").waitFor();
      await database.query(`update "user".session set authenticated_at = now() - interval '1 hour'`);
      await page.reload();
      await page.getByText("shown to somebody who has just signed in").waitFor();
      await press(page, "Show them");
      await dialog.waitFor();
    };
    await age();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("alert").filter({ hasText: "confirm first that it is you" }).waitFor();
    await press(page, "Show them");
    await dialog.getByLabel("Password").fill("a wrong password");
    await press(page, "Confirm");
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Password").fill(password);
    await press(page, "Confirm");
    await dialog.waitFor({ state: "detached" });
    await age();
    await press(page, "Use a code by SMS");
    await press(page, "Send me a code");
    await fillInCode(page);
    await press(page, "Confirm");
    await page.getByText("None. With one,").waitFor();
  });

  test("what takes a second factor is done once its code is typed, and not without", async ({ database, openDemo }) => {
    const page = await openDemo();
    await signIn(page, newPhone());
    const secret = await addApp(page);
    await press(page, "I have kept them");
    await database.query(`update "user".session set authenticated_at = now() - interval '1 hour'`);
    await press(page, "Remove: Ada's phone");
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByLabel("Code from the app").and(page.locator(":focus")).waitFor();
    await press(page, "Cancel");
    await page.getByRole("alert").filter({ hasText: "Nothing was done" }).waitFor();
    await press(page, "Remove: Ada's phone");
    await fillIn(page, { "Code from the app": totp(secret, 1) });
    await press(page, "Confirm");
    await page.getByText("Ada's phone is removed.").waitFor();
  });
});
