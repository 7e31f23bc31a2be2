import { join } from "node:path";
import { expect, test } from "vitest";
import { createdHome, query, spawnLauncher, start, temporaryHome } from "./fixtures/embedded_harness.ts";
import { subfolders } from "./folders.ts";

test("a second launcher is rejected while the first is alive, which continues", async () => {
  const home = await createdHome();
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
