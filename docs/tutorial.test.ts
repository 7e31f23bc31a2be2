import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createServer } from "vite";
import { freePort } from "../embedded/index.ts";
import { chromiumPath } from "../testing/browser/chromium_path.ts";
import { test } from "../testing/browser/browser_fixtures.ts";
import { documentBlocks } from "../testing/documents/document_blocks.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import { eventually } from "../testing/eventually.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { newHome, startAndListen } from "../testing/service/npm_start.ts";

const root = join(import.meta.dirname, "..");
const blockOf = (heading: string, language: string, index = 0): string => {
  const block = documentBlocks("docs/tutorial.md", heading, language)[index];
  if (block === undefined) throw new Error(`${heading} has no ${language} block ${index}`);
  return block;
};
const phone = "+12125550123";

test.skipIf(isMissing("psql") || chromiumPath === undefined)(
  "who follows the tutorial has an app in which a user writes notes, and loses them from sight with the logout",
  async ({ browser }) => {
    const home = newHome();
    const { output } = await startAndListen(home);
    const [, address = ""] = /^Latchkey is listening on (\S+)$/m.exec(output.out) ?? [];
    const port = await freePort();
    const folder = folderWithPackages();
    const here = (text: string) =>
      text
        .replaceAll("http://localhost:3000", address.replace("localhost", "127.0.0.1"))
        .replaceAll("4000", String(port))
        .replaceAll(".latchkey/", `${home}/`)
        .replaceAll("notes.sql", join(folder, "notes.sql"))
        .replaceAll("notes/service.js", join(folder, "service.js"));
    const codes: string[] = [];
    /** The next code that the terminal shows. */
    const nextCode = async () => {
      const shown = () => [...output.out.matchAll(/Your code is (\d+)/g)].map(([, digits = ""]) => digits);
      await eventually("the terminal shows a code", () => shown().length > codes.length);
      codes.splice(0, Infinity, ...shown());
      return codes.at(-1)!;
    };

    writeFileSync(join(folder, "notes.sql"), blockOf("2. A table of your own", "sql"));
    await runRecipe(here(blockOf("2. A table of your own", "sh")), {});

    writeFileSync(join(folder, "service.js"), here(blockOf("3. A service of your own", "js")));
    await startNotes(here(blockOf("3. A service of your own", "sh")));

    const page = "4. A page that signs people in";
    writeFileSync(join(folder, "index.html"), blockOf(page, "html"));
    writeFileSync(join(folder, "page.js"), blockOf(page, "js"));
    writeFileSync(join(folder, "vite.config.js"), here(blockOf(page, "js", 1)));
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
    const tab = await browser.newPage();
    onTestFinished(() => tab.close());
    await tab.goto(vite.resolvedUrls?.local[0] ?? "");
    await tab.getByLabel("Phone").fill(phone);
    await tab.getByRole("button", { name: "Continue" }).click();
    await tab.getByLabel("Code").fill(await nextCode());
    await tab.getByRole("button", { name: "Continue" }).click();
    await tab.getByLabel("Note").fill("Buy milk");
    await tab.getByRole("button", { name: "Save" }).click();
    await tab.getByRole("listitem").filter({ hasText: "Buy milk" }).waitFor();

    const logOut = "5. Log out";
    const [send = "", enter = ""] = here(blockOf(logOut, "sh")).trim().split("\n");
    await runRecipe(send, {});
    const entered = await runRecipe(enter.replace("123456", await nextCode()), {});
    const TOKEN = /"access_token":"([^"]+)"/.exec(entered)?.[1];
    const [notes = "", ...rest] = here(blockOf(logOut, "sh", 1))
      .trim()
      .split("\n");
    expect(await runRecipe(notes, { TOKEN })).toBe('[{"text":"Buy milk"}]');
    expect(await runRecipe(rest.join("\n"), { TOKEN })).toMatch(/Logged out\..*401\n$/);

    await tab.getByRole("button", { name: "Log out" }).click();
    await tab.getByLabel("Phone").waitFor();
    expect(await tab.getByRole("listitem").count()).toBe(0);
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

/** Runs the command that starts the notes, until the test ends. */
async function startNotes(command: string): Promise<void> {
  const child: ChildProcess = spawn("sh", ["-c", `exec env ${command}`], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  await once(child.stdout!, "data");
}
