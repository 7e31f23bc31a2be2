import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createdHome, kill, query, serverPid, spawnLauncher, until } from "./fixtures/embedded_harness.ts";
import { isAlive } from "./processes.ts";

test("exit, SIGTERM and Ctrl-C of the launcher shut the server down", async () => {
  const home = await createdHome();
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

test("Ctrl-C does not reach the server past a launcher that handles it", async () => {
  const home = await createdHome();
  const { child, answer } = spawnLauncher({ start: { home, durable: false }, ignoreSignals: true });
  const { url } = await answer;
  // The terminal signals the whole process group.
  process.kill(-child.pid!, "SIGINT");
  const { error } = await spawnLauncher({ start: { home, durable: false } }).answer;
  expect(error).toContain("already running");
  expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  await kill(child, "SIGTERM");
});
