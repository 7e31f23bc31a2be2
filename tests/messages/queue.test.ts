import type { Runner } from "graphile-worker";
import pg from "pg";
import { expect, onTestFinished, vi } from "vitest";
import { migratorConfig, workerConfig } from "../../config/config.ts";
import { collectLog } from "../../testing/log_lines.ts";
import { test } from "../fixtures/worker_harness.ts";
import { startWorker } from "../../worker/worker.ts";

const runners = vi.hoisted((): Runner[] => []);
vi.mock(import("graphile-worker"), async (original) => {
  const library = await original();
  return {
    ...library,
    run: async (...args) => {
      const runner = await library.run(...args);
      runners.push(runner);
      return runner;
    },
  };
});

test("a queue that ends by itself is started again in the same process", async ({ harness, gateway, person }) => {
  await harness.start();
  await harness.untilWorkerLives();
  const before = await harness.livenessPids();
  await runners.at(-1)?.stop();
  await harness.untilWorkerLives(before);
  await harness.requestReset();
  await gateway.next(person.phone);
});

test("no login role can end the queue, as the library does at the notice of a breaking migration", async ({
  harness,
  database,
  gateway,
  person,
}) => {
  const { log, lines } = collectLog();
  const worker = await startWorker(workerConfig(database.env), log);
  onTestFinished(() => worker.stop());
  const hostile = new pg.Client(migratorConfig(database.env).SERVER_DATABASE_URL);
  await hostile.connect();
  await hostile.query("select pg_notify('worker:migrate', $1) from generate_series(1, 3)", [
    JSON.stringify({ breaking: true, migrationNumber: 0 }),
  ]);
  await hostile.end();
  // This job is announced after those notifications.
  await harness.requestReset();
  await gateway.next(person.phone);
  expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
});
