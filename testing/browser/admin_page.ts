import type { BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { graphqlConfig } from "../../config/config.ts";
import { axeViolations } from "./axe.ts";
import { test as baseTest } from "./browser_fixtures.ts";
import type { Service } from "../service/service.ts";
import { untilInTime } from "./until_in_time.ts";

export interface ConsolePage {
  page: Page;
  /** Problems that the browser reported: errors of scripts, of the content security policy, and of requests. */
  problems: string[];
}

/** The admin secret of a service. */
export const secretOf = ({ database }: Pick<Service, "database">): string => graphqlConfig(database.env).ADMIN_SECRET!;

export const test = baseTest
  /** Opens /admin in a browser context of its own, which shares nothing and ends with the test. */
  .extend(
    "openConsole",
    ({ browser, service }) =>
      async (options: BrowserContextOptions = {}): Promise<ConsolePage> => {
        const context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce", ...options });
        onTestFinished(() => context.close());
        const page = await context.newPage();
        const problems: string[] = [];
        page.on("console", (message) => {
          if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
        });
        page.on("pageerror", (error) => problems.push(error.message));
        await page.goto(`${service.url}/admin`);
        return { page, problems };
      },
  )
  /** Opens the console and signs in. */
  .extend("openSignedIn", ({ openConsole, service }) => async (options: BrowserContextOptions = {}) => {
    const console = await openConsole(options);
    await untilInTime(console.page, () => signIn(console.page, secretOf(service)));
    await console.page.getByRole("heading", { name: "Find a person" }).waitFor();
    return console;
  });

export async function signIn(page: Page, secret: string): Promise<void> {
  await page.getByLabel("Admin secret").fill(secret);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Searches for a person, and opens it. */
export async function find(page: Page, text: string): Promise<void> {
  await page.getByRole("link", { name: "Find" }).click();
  await page.getByRole("searchbox").fill(text);
  await page.getByRole("button", { name: "Find" }).click();
}

/** Returns the violations that axe finds, of these rules or of all, each with the first element that it concerns. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const found = await axeViolations(page, rules);
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""} ${nodes[0]?.failureSummary ?? ""}`);
}

/** Waits until nothing on the page is busy. */
export const settled = (page: Page): Promise<void> =>
  page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
