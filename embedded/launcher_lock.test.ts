import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { kill, query, spawnLauncher, start, temporaryHome, until } from "./fixtures/embedded_harness.ts";
import { subfolders } from "./folders.ts";

test("a second launcher is rejected while the first is alive, which continues", async () => {
  const home = temporaryHome();
  const first = await start(home);
  await expect(start(home)).rejects.toThrow(`Latchkey is already running from ${home}`);
  const { answer } = spawnLauncher({ start: { home, durable: false } });
  expect((await answer).error).toBe(`Latchkey is already running from ${home}`);
  expect(await query(first.superuserUrl, "select 1 as one")).toEqual([{ one: 1 }]);
  await first.stop();
});

test("of four launchers that start at once in a new folder one runs and three are rejected", async () => {
  const home = temporaryHome();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => spawnLauncher({ start: { home, durable: false } }).answer),
  );
  const errors = answers.flatMap(({ error }) => error ?? []);
  expect(errors).toEqual(Array.from({ length: 3 }, () => `Latchkey is already running from ${home}`));
  const winner = answers.find(({ error }) => error === undefined)!;
  expect(await query(winner.url, "select 1 as one")).toEqual([{ one: 1 }]);
  expect(subfolders(home, "")).toEqual([join(home, "postgres-18")]);
});

test("a live launcher that has lost its lock for a moment keeps its server", async () => {
  const home = temporaryHome();
  const { child, answer } = spawnLauncher({ start: { home, durable: false } });
  const first = await answer;
  child.kill("SIGSTOP");
  await query(first.url, "select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory'");
  // The second launcher waits for as long as the first one needs to take its lock again on a busy machine.
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
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
});

test("the launcher takes its lock again when its connection is lost", async () => {
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
