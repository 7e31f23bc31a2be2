import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  freezeBackend,
  kill,
  logOf,
  query,
  serverPid,
  spawnLauncher,
  start,
  temporaryHome,
  until,
} from "./fixtures/embedded_harness.ts";
import { subfolders } from "./folders.ts";
import { isAlive } from "./processes.ts";
import { chooseRunUser, runAs } from "./run_user.ts";

test(
  "after kill -9 of the launcher its server is replaced, and the data are kept",
  { timeout: 30_000 },
  async () => {
    const home = temporaryHome();
    const { child, answer } = spawnLauncher({ start: { home, durable: true } });
    const { url, log } = await answer;
    await query(url, "create table kept as select 1 as one");
    const orphan = serverPid(log);
    await kill(child, "SIGKILL");
    expect(isAlive(orphan)).toBe(true);

    const running = await start(home, { durable: true });
    expect(isAlive(orphan)).toBe(false);
    expect(running.superuserUrl).toBe(url);
    expect(await query(running.superuserUrl, "select one from kept")).toEqual([{ one: 1 }]);
    await running.stop();
  },
);

test(
  "a second launcher is rejected while the first is alive, which continues",
  { timeout: 30_000 },
  async () => {
    const home = temporaryHome();
    const first = await start(home);
    await expect(start(home)).rejects.toThrow(`Latchkey is already running from ${home}`);
    const { answer } = spawnLauncher({ start: { home, durable: false } });
    expect((await answer).error).toBe(`Latchkey is already running from ${home}`);
    expect(await query(first.superuserUrl, "select 1 as one")).toEqual([{ one: 1 }]);
    await first.stop();
  },
);

test(
  "of four launchers that start at once in a new folder one runs and three are rejected",
  { timeout: 60_000 },
  async () => {
    const home = temporaryHome();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => spawnLauncher({ start: { home, durable: false } }).answer),
    );
    const errors = answers.flatMap(({ error }) => error ?? []);
    expect(errors).toEqual(Array.from({ length: 3 }, () => `Latchkey is already running from ${home}`));
    const winner = answers.find(({ error }) => error === undefined)!;
    expect(await query(winner.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(subfolders(home, "")).toEqual([join(home, "postgres-18")]);
  },
);

test("a start while the last server is still stopping waits for it", { timeout: 30_000 }, async () => {
  const home = temporaryHome();
  const first = await start(home);
  const { thaw } = await freezeBackend(first.superuserUrl);
  const stopping = first.stop();
  const starting = start(home);
  await until("the second start meets the first server", () =>
    logOf(first).includes("the database system is shutting down"),
  );
  thaw();
  await stopping;
  const second = await starting;
  expect(await query(second.superuserUrl, "select 1 as one")).toEqual([{ one: 1 }]);
  await second.stop();
});

test(
  "a start while processes of a killed server are still ending is retried",
  { timeout: 30_000 },
  async () => {
    const home = temporaryHome();
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
  },
);

test(
  "a live launcher that has lost its lock for a moment keeps its server",
  { timeout: 30_000 },
  async () => {
    const home = temporaryHome();
    const { child, answer } = spawnLauncher({ start: { home, durable: false } });
    const first = await answer;
    child.kill("SIGSTOP");
    await query(
      first.url,
      "select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory'",
    );
    const rejected = expect(start(home)).rejects.toThrow("already running");
    await until("the second launcher has connected", async () => {
      const [row] = await query<{ sessions: number }>(
        first.url,
        "select sessions::int as sessions from pg_stat_database where datname = 'postgres'",
      );
      return row && row.sessions > 5;
    });
    child.kill("SIGCONT");
    await rejected;
    expect(await query(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await kill(child, "SIGTERM");
  },
);

test("the launcher takes its lock again when its connection is lost", { timeout: 30_000 }, async () => {
  const home = temporaryHome();
  const running = await start(home);
  const holder = async (): Promise<number | undefined> => {
    const rows = await query<{ pid: number }>(
      running.superuserUrl,
      "select pid from pg_locks where locktype = 'advisory' and granted",
    );
    return rows[0]?.pid;
  };
  const before = await holder();
  await query(running.superuserUrl, `select pg_terminate_backend(${before ?? 0}, 5000)`);
  await until("another connection with the lock", async () => {
    const now = await holder();
    return now !== undefined && now !== before;
  });
  await expect(start(home)).rejects.toThrow("already running");
  await running.stop();
});

test.runIf(process.platform === "linux")(
  "a process id in postmaster.pid that was reused does not prevent the start",
  { timeout: 30_000 },
  async () => {
    const home = temporaryHome();
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

test("exit, SIGTERM and Ctrl-C of the launcher shut the server down", { timeout: 30_000 }, async () => {
  const home = temporaryHome();
  const ended = async (log: string, pid: number): Promise<void> => {
    await until("the server has ended", () => !isAlive(pid));
    expect(readFileSync(log, "utf8").trim()).toMatch(/database system is shut down$/);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const { child, answer } = spawnLauncher({ start: { home, durable: false } });
    const { log } = await answer;
    const pid = serverPid(log);
    expect(await kill(child, signal)).toBe(signal === "SIGINT" ? 130 : 143);
    await ended(log, pid);
  }
  const { child, answer } = spawnLauncher({ start: { home, durable: false }, exitWhenUp: true });
  const { log } = await answer;
  await until("the launcher has exited", () => child.exitCode === 3);
  await until("the server has ended", () => readFileSync(log, "utf8").trim().endsWith("shut down"));
});

test("Ctrl-C does not reach the server past a launcher that handles it", { timeout: 30_000 }, async () => {
  const home = temporaryHome();
  const { child, answer } = spawnLauncher({ start: { home, durable: false }, ignoreSignals: true });
  const { url } = await answer;
  // The terminal signals the whole process group.
  process.kill(-child.pid!, "SIGINT");
  const { error } = await spawnLauncher({ start: { home, durable: false } }).answer;
  expect(error).toContain("already running");
  expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  await kill(child, "SIGTERM");
});
