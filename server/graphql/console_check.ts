import { chromium } from "playwright-core";
import { runMain } from "../../common/environment.ts";

/**
 * node server/graphql/console_check.ts <address of the server> <path of the screenshot>, with ADMIN_SECRET in the
 * environment and Debian's chromium installed (or CHROMIUM naming another): types the secret into the console's headers
 * tab, runs a query, looks at the answer, and fails for any request to another host and any complaint of the browser.
 */
await runMain(async () => {
  const [address, screenshot] = process.argv.slice(2);
  const { ADMIN_SECRET, CHROMIUM = "/usr/bin/chromium" } = process.env;
  if (!address || !screenshot || !ADMIN_SECRET)
    throw new Error(
      "usage: ADMIN_SECRET=… node server/graphql/console_check.ts http://localhost:3000 console.png",
    );
  // A container's root has no use for the sandbox.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const complaints: string[] = [];
    const strangers: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (line) => {
      // Without a secret the page's first look at the schema is refused, which the browser reports.
      if (line.type() === "error" && !line.text().includes("401")) complaints.push(line.text());
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !url.startsWith("data:")) strangers.push(url);
    });

    await page.goto(`${address}/console`);
    const replace = async (editor: string, text: string) => {
      await page.locator(`${editor} .view-lines`).first().click();
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.press("Delete");
      await page.keyboard.insertText(text);
    };
    await replace(
      "[aria-label='Headers'] , .graphiql-editor-tool",
      JSON.stringify({ "X-Admin-Secret": ADMIN_SECRET }),
    );
    await replace(
      ".graphiql-query-editor",
      "{ settings_configuration(limit: 3, order_by: { key: asc }) { key value } }",
    );
    await page.locator(".graphiql-execute-button").click();
    const answer = page.locator(".result-window");
    await answer.getByText("ACCESS_TOKEN_TTL_SECONDS").waitFor({ timeout: 20_000 });
    await page.screenshot({ path: screenshot });
    if (strangers.length > 0) throw new Error(`requests to other hosts: ${strangers.join(", ")}`);
    if (complaints.length > 0) throw new Error(`the browser complains: ${complaints.join("; ")}`);
    console.log(`the console ran a query; ${screenshot} shows it`);
  } finally {
    await browser.close();
  }
});
