import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createServer } from "vite";
import { freePort } from "../embedded/index.ts";
import { chromiumPath } from "../testing/browser/chromium_path.ts";
import { test } from "../testing/browser/browser_fixtures.ts";
import { untilInTime } from "../testing/browser/until_in_time.ts";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import { eventually } from "../testing/eventually.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { newHome, startAndListen, withoutGraphql } from "../testing/service/npm_start.ts";

const root = join(import.meta.dirname, "..");
const blockOf = (heading: string, language: string, index = 0): string => {
  const block = documentBlocks("docs/tutorial.md", heading, language)[index];
  if (block === undefined) throw new Error(`${heading} has no ${language} block ${index}`);
  return block;
};
const phone = "+12125550123";

const read = (file: string) => readFileSync(join(root, "examples/notes", file), "utf8");

test.each([
  ["schema.sql", "2. Two tables of your own", "sql", 0],
  ["index.html", "3. A page that signs people in", "html", 0],
  ["page.js", "3. A page that signs people in", "js", 0],
  ["vite.config.js", "3. A page that signs people in", "js", 1],
  ["schema.pgtap.sql", "4. Test your policies", "sql", 0],
  ["report.js", "5. A program of your own, and a logout", "js", 0],
])("the tutorial shows examples/notes/%s as it is", (file, heading, language, index) => {
  expect(blockOf(heading, language, index)).toBe(read(file));
});

test.skipIf(isMissing("psql") || chromiumPath === undefined)(
  "who follows the tutorial has an app in which a user writes notes, and loses them from sight with the logout",
  async ({ browser }) => {
    const home = newHome();
    const first = await startAndListen(home, withoutGraphql);
    const folder = folderWithPackages();
    let address = "http://localhost:3000";
    const port = await freePort();
    const here = (text: string) =>
      text
        .replaceAll("http://localhost:3000", address)
        .replaceAll("http://localhost:4000", `http://localhost:${port}`)
        .replaceAll(".latchkey/", `${home}/`)
        .replaceAll(/(?<= )notes\//g, `${folder}/`);
    for (const file of ["schema.sql", "index.html", "page.js", "report.js"])
      writeFileSync(join(folder, file), read(file));
    const tables = "2. Two tables of your own";
    await runRecipe(here(blockOf(tables, "sh")), {});
    await first.end("SIGINT");

    const [, GRAPHQL_SCHEMAS] = /^GRAPHQL_SCHEMAS=(\w+) npm start$/m.exec(blockOf(tables, "sh", 1)) ?? [];
    const { output } = await startAndListen(home, { GRAPHQL_SCHEMAS });
    address = (/^Latchkey is listening on (\S+)$/m.exec(output.out)?.[1] ?? "").replace("localhost", "127.0.0.1");
    const codes: string[] = [];
    /** The next code that the terminal shows. */
    const nextCode = async () => {
      const shown = () => [...output.out.matchAll(/Your code is (\d+)/g)].map(([, digits = ""]) => digits);
      await eventually("the terminal shows a code", () => shown().length > codes.length);
      codes.splice(0, Infinity, ...shown());
      return codes.at(-1)!;
    };

    writeFileSync(join(folder, "vite.config.js"), here(read("vite.config.js")));
    const vite = await createServer({
      root: folder,
      configFile: join(folder, "vite.config.js"),
      logLevel: "error",
      // The document builds the package, into a folder that other tests build too.
      resolve: { alias: { "@latchkey/client": join(root, "client/src/index.ts") } },
      // Packages that vite discovers only while the page loads make it load the page again, in the middle of the test.
      optimizeDeps: { include: ["graphql-ws", "idb-keyval"] },
      server: { host: "127.0.0.1", port: 0 },
    });
    onTestFinished(() => vite.close());
    await vite.listen();
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const [tab, otherTab] = [await context.newPage(), await context.newPage()];
    await tab.goto(vite.resolvedUrls?.local[0] ?? "");
    await tab.getByLabel("Phone").fill(phone);
    await tab.getByRole("button", { name: "Continue" }).click();
    await tab.getByLabel("Code").fill(await nextCode());
    await tab.getByRole("button", { name: "Continue" }).click();
    await otherTab.goto(vite.resolvedUrls?.local[0] ?? "");
    await otherTab.getByLabel("Note").waitFor();
    await tab.getByLabel("Note").fill("Buy milk #shop");
    await untilInTime(tab, () => tab.getByRole("button", { name: "Save" }).click());
    for (const each of [tab, otherTab])
      await each.getByRole("listitem").filter({ hasText: "Buy milk #shop [shop]" }).waitFor();

    const logOut = "5. A program of your own, and a logout";
    const [createRole = "", startReport = ""] = here(blockOf(logOut, "sh")).split(/\n(?=NOTES_)/);
    await runRecipe(createRole, {});
    await startProgram(`PORT=${port} ${startReport.trim().replace("=$", '="$').replace(") node", ')" node')}`, address);
    const [send = "", enter = ""] = here(blockOf(logOut, "sh", 1))
      .trim()
      .split("\n");
    await runRecipe(send, {});
    const entered = await runRecipe(enter.replace("123456", await nextCode()), {});
    const TOKEN = /"access_token":"([^"]+)"/.exec(entered)?.[1];
    const lines = await runRecipe(here(blockOf(logOut, "sh", 2)), { TOKEN });
    expect(lines).toMatch(/^\{"notes":1\}.*Logged out\..*\{"notes":0\}$/);

    await tab.getByRole("button", { name: "Log out" }).click();
    for (const each of [tab, otherTab]) {
      await each.getByLabel("Phone").waitFor();
      expect(await each.getByRole("listitem").count()).toBe(0);
    }
  },
);

/** A folder below the checkout, so that imports find its packages. */
function folderWithPackages(): string {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/tutorial-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return folder;
}

/** Runs the command that starts a program, until the test ends. */
async function startProgram(command: string, LATCHKEY_URL: string): Promise<void> {
  const child: ChildProcess = spawn("sh", ["-c", `exec env ${command}`], {
    cwd: root,
    env: { ...process.env, LATCHKEY_URL },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  await once(child.stdout!, "data");
}
