import { spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  kill,
  createProgramsWithSlowInitdb,
  query,
  spawnLauncher,
  start,
  temporaryHome,
  until,
} from "./fixtures/embedded_harness.ts";
import { ensureFolder, privateMode, subfolders } from "./folders.ts";

test("kill -9 during initdb leaves nothing that a later start uses", async () => {
  const { child, home, incomplete } = await launchDuringInitdb();
  await kill(child, "SIGKILL");
  expect(incomplete).toMatch(/postgres-18\.making-\d+-\w+$/);

  const running = await start(home);
  const [row] = await query(running.superuserUrl, "select count(*) > 50 as whole from information_schema.views");
  expect(row).toEqual({ whole: true });
  await running.stop();
  expect(subfolders(home, "")).toEqual([join(home, "postgres-18")]);
});

test("SIGTERM during initdb ends initdb as well", async () => {
  const { child, incomplete } = await launchDuringInitdb();
  const isInUse = (): boolean => spawnSync("pgrep", ["-f", incomplete], { encoding: "utf8" }).stdout !== "";
  expect(isInUse()).toBe(true);
  await kill(child, "SIGTERM");
  await until("no process uses the folder", () => !isInUse());
});

/** Starts a launcher whose initdb has written a part of the data and does not end by itself. */
async function launchDuringInitdb(): Promise<{ child: ChildProcess; home: string; incomplete: string }> {
  const home = temporaryHome();
  const bin = await createProgramsWithSlowInitdb();
  const { child } = spawnLauncher({ start: { home, durable: false, binDirectory: bin } });
  const incomplete = await until("initdb has begun to write", () =>
    subfolders(home, "postgres-").find((folder) => existsSync(join(folder, "data", "PG_VERSION"))),
  );
  return { child, home, incomplete };
}

test("folders that a live process is creating are not removed", async () => {
  const home = ensureFolder(temporaryHome(), privateMode());
  const dead = spawnSync("true").pid;
  const [live, stale] = [process.ppid, dead].map((pid) => join(home, `postgres-18.making-${pid}-0`));
  mkdirSync(live!);
  mkdirSync(stale!);
  const running = await start(home);
  await running.stop();
  expect([live!, stale!].map((folder) => existsSync(folder))).toEqual([true, false]);
});
