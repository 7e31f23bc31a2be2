import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createdHome, query, serverPid, start } from "./fixtures/embedded_harness.ts";
import { subfolders } from "./folders.ts";
import { viaSocket } from "./connection_urls.ts";

const transport = "select inet_server_addr() is null as socket";

test("only the run user and root may connect to the socket, which is removed with the server", async () => {
  const running = await start(await createdHome());
  const folder = running.socketFolder!;
  expect(await query(viaSocket(running.superuserUrl, folder), transport)).toEqual([{ socket: true }]);
  expect(await query(running.superuserUrl, transport)).toEqual([{ socket: false }]);
  const { mode, uid } = statSync(folder);
  expect(mode & 0o777).toBe(0o700);
  expect(uid).toBe(statSync(join(dirname(folder), "data")).uid);
  await running.stop();
  expect(existsSync(folder)).toBe(false);
});

test("the socket requires the password too", async () => {
  const running = await start(await createdHome());
  const wrong = new URL(viaSocket(running.superuserUrl, running.socketFolder));
  wrong.password = "guessed";
  await expect(query(wrong.href, "select 1")).rejects.toThrow(/password authentication failed/);
  await running.stop();
});

test("a killed server's socket does not prevent the next start", async () => {
  const home = await createdHome();
  const first = await start(home);
  process.kill(serverPid(first.log), "SIGKILL");
  await first.exited;
  // The folder of a launcher that was killed too: no process has an id this high.
  mkdirSync(join(dirname(first.socketFolder!), "socket-4194305-dead"));
  const second = await start(home);
  expect(await query(viaSocket(second.superuserUrl, second.socketFolder), transport)).toEqual([{ socket: true }]);
  expect(subfolders(dirname(second.socketFolder!), "socket-")).toEqual([second.socketFolder]);
  await second.stop();
});

test("if the path is too long for a socket, there is only TCP", async () => {
  const running = await start(join(await createdHome(), "deep".repeat(25)));
  expect(running.socketFolder).toBeUndefined();
  expect(viaSocket(running.superuserUrl, running.socketFolder)).toBe(running.superuserUrl);
  expect(await query(running.superuserUrl, transport)).toEqual([{ socket: false }]);
  await running.stop();
});
