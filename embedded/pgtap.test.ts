import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { query, temporaryFolder } from "./fixtures/harness.ts";
import { pgtapExtensionPath } from "./pgtap.ts";
import { startThrowaway } from "./throwaway.ts";

/** What the run was given, if anything. */
const givenAtStart = process.env.PGTAP_EXTENSION_DIRECTORY;

async function withGiven<T>(folder: string, action: () => Promise<T>): Promise<T> {
  process.env.PGTAP_EXTENSION_DIRECTORY = folder;
  return action().finally(() => {
    if (givenAtStart === undefined) delete process.env.PGTAP_EXTENSION_DIRECTORY;
    else process.env.PGTAP_EXTENSION_DIRECTORY = givenAtStart;
  });
}

test("a given folder's pgTAP is used, without what else lies there, and anew each time", async () => {
  const folder = temporaryFolder();
  const given = join(folder, "given");
  mkdirSync(given);
  writeFileSync(join(given, "pgtap.control"), "default_version = '9.9'\n");
  writeFileSync(join(given, "pgtap--9.9.sql"), "select 1;");
  writeFileSync(join(given, "other.control"), "");
  const find = (): Promise<string> => withGiven(given, () => pgtapExtensionPath(join(folder, "cache")));
  const path = await find();
  expect(readdirSync(join(path, "extension")).sort()).toEqual(["pgtap--9.9.sql", "pgtap.control"]);
  writeFileSync(join(given, "pgtap--9.9.sql"), "select 2;");
  expect(readFileSync(join(await find(), "extension", "pgtap--9.9.sql"), "utf8")).toBe("select 2;");
});

test("a given folder without pgTAP is refused with the way out", async () => {
  const folder = temporaryFolder();
  await expect(withGiven(folder, () => pgtapExtensionPath(join(folder, "cache")))).rejects.toThrow(
    /holds no pgtap\.control\): set PGTAP_EXTENSION_DIRECTORY to a folder that holds pgtap\.control/,
  );
});

// Whoever gave another copy may have no Debian; everybody else cannot run the tests without its package.
test.skipIf(givenAtStart !== undefined)(
  "Debian's pgTAP works in the embedded server",
  { timeout: 120_000 },
  async () => {
    const cache = join(temporaryFolder(), "cache");
    const paths = await Promise.all([1, 2].map(() => pgtapExtensionPath(cache)));
    expect(new Set(paths).size).toBe(1);
    expect(readdirSync(cache).filter((name) => !name.startsWith("pgtap-"))).toEqual([]);
    expect(await pgtapExtensionPath(cache)).toBe(paths[0]);
    const running = await startThrowaway({ settings: { extension_control_path: `$system:${paths[0]!}` } });
    await query(running.superuserUrl, "create schema tap; create extension pgtap schema tap");
    const inTap = `${running.superuserUrl}?options=-c%20search_path%3Dtap,public`;
    expect(await query(inTap, "select plan(1) as line")).toEqual([{ line: "1..1" }]);
    await running.stop();
  },
);
