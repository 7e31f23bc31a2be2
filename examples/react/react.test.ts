import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { afterAll, describe, expect, onTestFinished, test as baseTest } from "vitest";
import { createServer, type ViteDevServer } from "vite";
import { chromiumPath } from "../../testing/browser/chromium_path.ts";
import { test } from "../../testing/browser/browser_fixtures.ts";
import { otherCode } from "../../testing/service/other_code.ts";
import { newPhone } from "../../testing/service/people.ts";

let vite: ViteDevServer | undefined;
afterAll(() => vite?.close());

baseTest(
  "on a server the hook renders the page for nobody, and creates no client that all visitors would share",
  async () => {
    const server = await createServer({
      configFile: `${import.meta.dirname}/vite.config.ts`,
      logLevel: "error",
    });
    onTestFinished(() => server.close());
    const { useSession } = (await server.ssrLoadModule("/use_session.ts")) as {
      useSession: () => object | null;
    };
    const page = () => (useSession() ? "signed in" : "signed out");
    expect(renderToString(createElement(page))).toBe("signed out");
  },
);

describe.skipIf(chromiumPath === undefined)("in Chromium", () => {
  test("the React page signs a new phone in by code, tells what is wrong, and signs out", async ({
    service,
    browser,
  }) => {
    const phone = newPhone();
    vite = await createServer({
      configFile: `${import.meta.dirname}/vite.config.ts`,
      logLevel: "error",
      // Packages that vite discovers only while the page loads make it load the page again, in the middle of the test.
      optimizeDeps: { include: ["react", "react-dom/client", "graphql-ws/client", "idb-keyval"] },
      server: { host: "127.0.0.1", port: 0, proxy: { "/api": service.url } },
    });
    await vite.listen();
    const page = await browser.newPage();
    await page.goto(vite.resolvedUrls?.local[0] ?? "");

    await page.getByLabel("Phone").fill(phone);
    await page.getByRole("button", { name: "Send me a code" }).click();
    const otp = await service.gateway.nextCode(phone);
    await page.getByLabel("Code").fill(otherCode(otp));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").filter({ hasText: "one-time password is not correct" }).waitFor();
    await page.getByLabel("Code").fill(otp);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("You are signed in.").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Phone").waitFor();
    expect(await page.evaluate("localStorage.length")).toBe(0);
    await page.close();
  });
});
