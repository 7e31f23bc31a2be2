import { existsSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { kill, query, serverPid, spawnLauncher, temporaryFolder, until } from "./fixtures/embedded_harness.ts";
import { subfolders } from "./folders.ts";
import { isAlive } from "./processes.ts";
import { startNewCluster } from "../testing/postgres/new_cluster.ts";
import { shared } from "../testing/run/shared.ts";

const homeOf = (log: string): string => dirname(dirname(log));

test("four clusters at once have separate data, and a stop leaves nothing", async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => startNewCluster({ work_mem: "5MB" })));
  expect(new Set(all.map(({ port }) => port)).size).toBe(4);
  for (const { superuserUrl } of all) await query(superuserUrl, "create table only_here ()");
  const [row] = await query(
    all[0]!.superuserUrl,
    "select current_setting('fsync') as fsync, current_setting('work_mem') as memory",
  );
  expect(row).toEqual({ fsync: "off", memory: "5MB" });
  const pids = all.map(({ log }) => serverPid(log));
  await Promise.all(all.map((running) => running.stop()));
  expect(pids.filter(isAlive)).toEqual([]);
  expect(all.filter(({ log }) => existsSync(homeOf(log)))).toEqual([]);
  await all[0]!.stop();
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s of its process leaves nothing", async (signal) => {
  const { child, answer } = spawnLauncher({ copyOf: await shared("emptyHome") });
  const { log } = await answer;
  const pid = serverPid(log);
  await kill(child, signal);
  expect([existsSync(homeOf(log)), isAlive(pid)]).toEqual([false, false]);
});

test("process.exit leaves nothing", async () => {
  const { child, answer } = spawnLauncher({ exitWhenUp: true });
  const { log } = await answer;
  await until("its process has exited", () => child.exitCode === 3);
  expect(existsSync(homeOf(log))).toBe(false);
});

test("SIGTERM during its initdb leaves nothing", async () => {
  const { child } = spawnLauncher({});
  const homes = (): string[] => subfolders(realpathSync(tmpdir()), `latchkey-${child.pid!}-`);
  await until("an incomplete cluster", () => homes().some((home) => subfolders(home, "postgres-").length > 0));
  await kill(child, "SIGTERM");
  expect(homes()).toEqual([]);
});

test("a cluster that kill -9 leaves is stopped and removed at the next start", async () => {
  // Not in the folder of other tests: their start of a cluster would remove it first.
  vi.stubEnv("TMPDIR", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const { child, answer } = spawnLauncher({ copyOf: await shared("emptyHome") });
  const { log } = await answer;
  const orphan = serverPid(log);
  await kill(child, "SIGKILL");
  expect([existsSync(homeOf(log)), isAlive(orphan)]).toEqual([true, true]);
  const running = await startNewCluster();
  expect([existsSync(homeOf(log)), isAlive(orphan)]).toEqual([false, false]);
  await running.stop();
});
