import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { locateBinaries } from "./binaries.ts";
import {
  createdHome,
  freezeBackend,
  kill,
  logOf,
  query,
  serverPid,
  spawnLauncher,
  start,
  startAgain,
  until,
} from "./fixtures/embedded_harness.ts";
import { readPostmasterFile } from "./postmaster_file.ts";
import { isAlive } from "./processes.ts";
import { chooseRunUser, runAs } from "./run_user.ts";
import { takeOverDataFolder } from "./takeover.ts";

test("after kill -9 of the launcher its server is replaced, and the data are kept", async () => {
  const home = await createdHome();
  const { child, answer } = spawnLauncher({ start: { home, durable: true } });
  const last = await answer;
  const { url, log } = last;
  await query(url, "create table kept as select 1 as one");
  const orphan = serverPid(log);
  await kill(child, "SIGKILL");
  expect(isAlive(orphan)).toBe(true);

  const running = await startAgain(home, last, { durable: true });
  expect(isAlive(orphan)).toBe(false);
  expect(running.superuserUrl).toBe(url);
  expect(await query(running.superuserUrl, "select one from kept")).toEqual([{ one: 1 }]);
  await running.stop();
});

test("a start while the last server is still stopping waits for it", async () => {
  const home = await createdHome();
  const first = await start(home);
  const { thaw } = await freezeBackend(first.superuserUrl);
  const data = join(dirname(first.log), "data");
  const stopping = first.stop();
  await until("the first server stops", () => readPostmasterFile(data)?.status === "stopping");
  const user = chooseRunUser([]);
  const binaries = await locateBinaries(user);
  const waiting = takeOverDataFolder(data, binaries, user);
  thaw();
  await waiting;
  expect(readPostmasterFile(data)).toBeUndefined();
  await stopping;
  const second = await start(home);
  expect(await query(second.superuserUrl, "select 1 as one")).toEqual([{ one: 1 }]);
  await second.stop();
});

test("a start while processes of a killed server are still ending is retried", async () => {
  const home = await createdHome();
  const first = await start(home);
  const { thaw } = await freezeBackend(first.superuserUrl);
  process.kill(serverPid(first.log), "SIGKILL");
  await first.exited;
  const starting = start(home);
  await until("the second start meets those processes", () =>
    logOf(first).includes("pre-existing shared memory block"),
  );
  thaw();
  const second = await starting;
  expect(await query(second.superuserUrl, "select 1 as one")).toEqual([{ one: 1 }]);
  await second.stop();
});

test.runIf(process.platform === "linux")(
  "a process id in postmaster.pid that was reused does not prevent the start",
  async () => {
    const home = await createdHome();
    const first = await start(home);
    const pidFile = join(dirname(first.log), "data", "postmaster.pid");
    const contents = readFileSync(pidFile, "utf8");
    await first.stop();

    const user = chooseRunUser([]);
    // The second process id is that of a zombie: a child process that has ended and is never reaped.
    const stranger = spawn("sh", ["-c", "true & echo $!; exec tail -f /dev/null"], {
      cwd: "/",
      ...runAs(user),
    });
    const [line] = (await once(stranger.stdout, "data")) as [Buffer];
    const zombie = Number(line.toString());
    await until("the child has ended", () => !isAlive(zombie));
    for (const pid of [stranger.pid!, zombie]) {
      writeFileSync(pidFile, contents.replace(/^\d+/, `${pid}`));
      if (user) chownSync(pidFile, user.uid, user.gid);
      const again = await start(home);
      await again.stop();
    }
    await kill(stranger, "SIGKILL");
  },
);
