import { Client } from "pg";
import { expect, test } from "vitest";
import {
  createdHome,
  freezeBackend,
  logOf,
  query,
  serverPid,
  start,
  startAgain,
  until,
} from "./fixtures/embedded_harness.ts";
import { startPostgres } from "./postgres.ts";
import { isAlive } from "./processes.ts";

test("data, password and port survive a stop", async () => {
  const home = await createdHome();
  const first = await start(home, { durable: true });
  await query(first.superuserUrl, "create table kept as select 'still here' as word");
  await first.stop();
  expect(await first.exited).toBe(0);

  const second = await startAgain(home, first, { durable: true });
  expect(second.superuserUrl).toBe(first.superuserUrl);
  expect(await query(second.superuserUrl, "select word from kept")).toEqual([{ word: "still here" }]);
  await second.stop();
});

test("exited resolves when the server crashes, and the next start works", async () => {
  const home = await createdHome();
  const first = await start(home);
  process.kill(serverPid(first.log), "SIGKILL");
  expect(await first.exited).toBeNull();
  await first.stop();
  const second = await start(home);
  expect(await query(second.superuserUrl, "select 1 as one")).toEqual([{ one: 1 }]);
  await second.stop();
});

test("stop() may be called twice and does not wait for clients", async () => {
  const running = await start(await createdHome());
  const client = new Client({ connectionString: running.superuserUrl });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("begin");
  await Promise.all([running.stop(), running.stop()]);
  await running.stop();
  expect(await running.exited).toBe(0);
});

test("a fast shutdown that takes 4 seconds becomes an immediate one", async () => {
  const running = await startPostgres({ home: await createdHome(), durable: false });
  const { pid, thaw } = await freezeBackend(running.superuserUrl);
  const stopped = running.stop();
  await until("the immediate shutdown", () => logOf(running).includes("received immediate shutdown request"));
  thaw();
  await stopped;
  expect(isAlive(pid)).toBe(false);
});
