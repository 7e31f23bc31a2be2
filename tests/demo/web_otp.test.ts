import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { newPhone } from "../../testing/service/people.ts";
import { fillIn, hasChromium, press, test, view } from "./fixtures/demo_fixtures.ts";

/**
 * The phone's part of WebOTP, which a computer's Chromium offers and never answers: hands over an SMS when a test says
 * so.
 */
const phonesPart = `
  navigator.credentials.get = (options) => new Promise((resolve, reject) => {
    globalThis.otpRequest = { transport: options.otp.transport, isAborted: false };
    globalThis.handOver = (code) => resolve({ code });
    options.signal.addEventListener("abort", () => {
      globalThis.otpRequest.isAborted = true;
      reject(options.signal.reason);
    });
  });`;

async function askForCode(page: Page): Promise<string> {
  await page.addInitScript(phonesPart);
  await page.reload();
  await fillIn(page, { Phone: newPhone() });
  await press(page, "Send me a code");
  const text = await page.getByText(/is your code/).textContent();
  return /\d+/.exec(text ?? "")?.[0] ?? "";
}

describe.skipIf(!hasChromium)("in Chromium", () => {
  test("the browser has WebOTP", async ({ openDemo }) => {
    const page = await openDemo();
    expect(await page.evaluate("'OTPCredential' in globalThis")).toBe(true);
  });

  test("a code that the browser reads from an SMS signs in without a key or a click", async ({ openDemo }) => {
    const page = await openDemo();
    const code = await askForCode(page);
    expect(await page.evaluate("otpRequest")).toEqual({ transport: ["sms"], isAborted: false });
    await page.evaluate(`handOver("${code}")`);
    await view(page, "You are signed in").waitFor();
  });

  test("no request is refused where the SMS cannot name the page, and the page of a site that is not allowed sends without the name", async ({
    openDemo,
    service,
  }) => {
    const page = await openDemo();
    const answers: [number, boolean][] = [];
    page.on("response", (response) => {
      if (response.url().endsWith("/otp/send"))
        answers.push([response.status(), response.request().postData()?.includes("autofill") ?? false]);
    });
    await askForCode(page);
    expect(answers.splice(0), "of this machine, by http").toEqual([[200, false]]);

    // The same pages as those of a site that OTP_ORIGINS does not list.
    const site = "https://demo.example";
    await page.route(`${site}/**`, async (route) => {
      const request = route.request();
      const headers = await request.allHeaders();
      delete headers.origin;
      const url = service.url + request.url().slice(site.length);
      await route.fulfill({ response: await route.fetch({ url, headers }) });
    });
    await page.goto(`${site}/demo`);
    await askForCode(page);
    expect(answers, "of a site, by https").toEqual([
      [400, true],
      [200, false],
    ]);
  });

  test("leaving the view ends the wait for an SMS", async ({ openDemo }) => {
    const page = await openDemo();
    await askForCode(page);
    await press(page, "Use a password");
    await view(page, "Log in by password").waitFor();
    await page.waitForFunction("otpRequest.isAborted");
  });
});
