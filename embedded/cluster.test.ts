import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  asRoot,
  createdHome,
  kill,
  query,
  serverPid,
  spawnLauncher,
  start,
  temporaryFolder,
  temporaryHome,
  until,
} from "./fixtures/embedded_harness.ts";
import { ensureFolder, privateMode } from "./folders.ts";
import { findPostmaster } from "./postmaster_file.ts";
import { firstUnreachableFolder } from "./reach.ts";
import { chooseRunUser, runAs } from "./run_user.ts";

test.each([0o077, 0o000])("a first start works under umask %o", async (umask) => {
  const home = temporaryHome();
  // The run user cannot enter this working directory, just as it cannot enter a checkout below /root.
  const cwd = ensureFolder(join(dirname(home), "closed"), 0o700);
  const { child, answer } = spawnLauncher({ start: { home: join(home, "below"), durable: false }, umask }, cwd);
  const { url, log, error } = await answer;
  expect(error).toBeUndefined();
  expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  const folder = dirname(log);
  const modes = ["superuser.password", "server.log", "data", ".", "..", "../.."].map((name) =>
    (statSync(join(folder, name)).mode & 0o777).toString(8),
  );
  const outer = privateMode().toString(8);
  expect(modes).toEqual(["600", "600", "700", outer, outer, outer]);
  const pid = serverPid(log);
  await kill(child, "SIGTERM");
  await until("the server has ended", () => findPostmaster(join(folder, "data"))?.pid !== pid);
});

test("data of another major version are neither used nor replaced by an empty database", async () => {
  const home = await createdHome();
  const running = await start(home);
  await running.stop();
  const version = join(home, "postgres-18", "data", "PG_VERSION");
  const before = readFileSync(version);
  writeFileSync(version, "17\n");
  await expect(start(home)).rejects.toThrow("contains data of PostgreSQL 17, which this PostgreSQL 18 cannot read");
  writeFileSync(version, before);
  renameSync(join(home, "postgres-18"), join(home, "postgres-17"));
  await expect(start(home)).rejects.toThrow("postgres-17 contains data of PostgreSQL 17");
  expect(existsSync(join(home, "postgres-18"))).toBe(false);
});

test("a folder with other contents is rejected", async () => {
  const home = ensureFolder(temporaryHome(), privateMode());
  mkdirSync(join(home, "postgres-18"));
  writeFileSync(join(home, "postgres-18", "notes"), "mine");
  await expect(start(home)).rejects.toThrow(`${join(home, "postgres-18")} is not a Latchkey database: move it away.`);
});

test.runIf(asRoot)("as root the error for a home that the run user cannot enter names the folder", async () => {
  const closed = ensureFolder(join(temporaryFolder(), "closed"), 0o700);
  const name = chooseRunUser([])!.name;
  await expect(start(join(closed, "home"))).rejects.toThrow(
    `the system user "${name}", which cannot enter ${closed}: set LATCHKEY_HOME to a folder that it can reach.`,
  );
});

test.runIf(asRoot)("as root PostgreSQL runs as the owner of existing data", async () => {
  const home = await createdHome();
  const first = await start(home);
  await first.stop();
  const data = join(dirname(first.log), "data");
  const nobody = statSync(data).uid === 65_534 ? 65_533 : 65_534;
  expect(spawnSync("chown", ["-R", `${nobody}`, data]).status).toBe(0);
  const second = await start(home);
  expect(statSync(join(data, "postmaster.pid")).uid).toBe(nobody);
  await second.stop();
});

test.runIf(!asRoot)("the error for a home that cannot be created names it", async () => {
  await expect(start("/latchkey-test/home")).rejects.toThrow(/The folder \/latchkey-test\/home cannot be created/);
});

const stranger = { name: "stranger", uid: 12_345, gid: 12_345 };
const strangerCanRunNode = [import.meta.dirname, dirname(process.execPath)].every(
  (folder) => firstUnreachableFolder(folder, stranger) === undefined,
);
test.runIf(asRoot && strangerCanRunNode)("the error for another user's data says how to fix it", () => {
  const home = temporaryHome();
  const data = ensureFolder(join(home, "postgres-18", "data"), 0o755);
  writeFileSync(join(data, "PG_VERSION"), "18\n");
  chownSync(data, 65_534, 65_534);
  const script = join(import.meta.dirname, "fixtures", "launcher.ts");
  const task = JSON.stringify({ start: { home, durable: false } });
  const result = spawnSync(process.execPath, [script, task], {
    ...runAs(stranger),
    encoding: "utf8",
    cwd: "/",
  });
  expect(result.stdout).toContain("belong to the system user 65534: start as root, or set LATCHKEY_HOME");
});
