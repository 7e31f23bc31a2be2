import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { query, temporaryFolder } from "./fixtures/embedded_harness.ts";
import { pgtapExtensionPath } from "./pgtap.ts";
import { startNewCluster } from "../testing/postgres/new_cluster.ts";

/** Value at the start of the test run. */
const originalFolder = process.env.PGTAP_EXTENSION_DIRECTORY;

async function withExtensionFolder<T>(folder: string, action: () => Promise<T>): Promise<T> {
  process.env.PGTAP_EXTENSION_DIRECTORY = folder;
  return action().finally(() => {
    if (originalFolder === undefined) delete process.env.PGTAP_EXTENSION_DIRECTORY;
    else process.env.PGTAP_EXTENSION_DIRECTORY = originalFolder;
  });
}

test("pgTAP of PGTAP_EXTENSION_DIRECTORY is copied at each call, without other files", async () => {
  const folder = temporaryFolder();
  const configured = join(folder, "configured");
  mkdirSync(configured);
  writeFileSync(join(configured, "pgtap.control"), "default_version = '9.9'\n");
  writeFileSync(join(configured, "pgtap--9.9.sql"), "select 1;");
  writeFileSync(join(configured, "other.control"), "");
  const find = (): Promise<string> => withExtensionFolder(configured, () => pgtapExtensionPath(join(folder, "cache")));
  const path = await find();
  expect(readdirSync(join(path, "extension")).sort()).toEqual(["pgtap--9.9.sql", "pgtap.control"]);
  writeFileSync(join(configured, "pgtap--9.9.sql"), "select 2;");
  expect(readFileSync(join(await find(), "extension", "pgtap--9.9.sql"), "utf8")).toBe("select 2;");
});

test("a folder without pgTAP is an error that says how to fix it", async () => {
  const folder = temporaryFolder();
  await expect(withExtensionFolder(folder, () => pgtapExtensionPath(join(folder, "cache")))).rejects.toThrow(
    /contains no pgtap\.control\): set PGTAP_EXTENSION_DIRECTORY to a folder that contains pgtap\.control/,
  );
});

/** Tries again if apt fails: it depends on the network, and on other processes that use it. */
const downloaded = (cache: string, tries = 5): Promise<string> =>
  pgtapExtensionPath(cache).catch(async (error: unknown) => {
    if (tries === 1 || !/apt-(get|cache) failed/.test(String(error))) throw error;
    await delay(3_000);
    return downloaded(cache, tries - 1);
  });

// PGTAP_EXTENSION_DIRECTORY is for systems without Debian's packages.
test.skipIf(originalFolder !== undefined)("Debian's pgTAP works in the embedded server", async () => {
  const cache = join(temporaryFolder(), "cache");
  const paths = await Promise.all([1, 2].map(() => downloaded(cache)));
  expect(new Set(paths).size).toBe(1);
  expect(readdirSync(cache).filter((name) => !name.startsWith("pgtap-"))).toEqual([]);
  expect(await pgtapExtensionPath(cache)).toBe(paths[0]);
  const running = await startNewCluster({ extension_control_path: `$system:${paths[0]!}` });
  await query(running.superuserUrl, "create schema tap; create extension pgtap schema tap");
  const inTap = `${running.superuserUrl}?options=-c%20search_path%3Dtap,public`;
  expect(await query(inTap, "select plan(1) as line")).toEqual([{ line: "1..1" }]);
  await running.stop();
});
