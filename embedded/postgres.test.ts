import { once } from "node:events";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createdHome, query, serverPid, start, startAgain, temporaryHome, until } from "./fixtures/embedded_harness.ts";

const DEBIAN_15 = "/usr/lib/postgresql/15/bin";

test("the server listens locally, requires passwords, flushes data to disk, and logs no bind parameters", async () => {
  const running = await start(temporaryHome(), { durable: true, settings: { work_mem: "5MB", port: "1" } });
  const settings = await query<{ name: string; setting: string }>(
    running.superuserUrl,
    `select name, current_setting(name) as setting from pg_settings where name in ('listen_addresses', 'work_mem',
       'unix_socket_directories', 'fsync', 'log_parameter_max_length', 'log_parameter_max_length_on_error',
       'TimeZone', 'server_encoding', 'password_encryption')`,
  );
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    listen_addresses: "127.0.0.1",
    unix_socket_directories: running.socketFolder,
    fsync: "on",
    log_parameter_max_length: "0",
    log_parameter_max_length_on_error: "0",
    TimeZone: "UTC",
    server_encoding: "UTF8",
    password_encryption: "scram-sha-256",
    work_mem: "5MB",
  });
  const rules = await query(running.superuserUrl, "select distinct auth_method as method from pg_hba_file_rules");
  expect(rules).toEqual([{ method: "scram-sha-256" }]);
  const [locale] = await query(running.superuserUrl, "select datlocprovider, upper('ä') from pg_database limit 1");
  expect(locale).toEqual({ datlocprovider: "b", upper: "Ä" });
  await running.stop();
});

test("password, port and log are for their owner only, and so are the data", async () => {
  const running = await start(temporaryHome());
  const folder = dirname(running.log);
  for (const name of ["superuser.password", "port", "server.log"]) {
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o700);
  await running.stop();
});

test.runIf(process.platform === "linux")("PostgreSQL does not inherit our environment", async () => {
  process.env.OUR_SECRET = "not inherited";
  const running = await start(await createdHome());
  const environment = readFileSync(`/proc/${serverPid(running.log)}/environ`, "utf8");
  expect(environment).toContain("LC_ALL=C");
  expect(environment).not.toContain("OUR_SECRET");
  await running.stop();
});

test("another port is used when the last one is in use", async () => {
  const home = await createdHome();
  const first = await start(home);
  await first.stop();
  const stranger = createServer();
  await until("the port is in use", async () => {
    stranger.listen(first.port, "127.0.0.1");
    // Another process may have taken it for a moment.
    return once(stranger, "listening").then(
      () => true,
      () => false,
    );
  });
  const second = await start(home);
  expect(second.port).not.toBe(first.port);
  await second.stop();
  stranger.close();
  const third = await startAgain(home, second);
  expect(third.port).toBe(second.port);
  await third.stop();
});

test("the error of a server that cannot start contains the end of its log", async () => {
  const settings = { shared_buffers: "nonsense" };
  await expect(start(await createdHome(), { settings })).rejects.toThrow(
    /PostgreSQL did not start; .*server\.log:\n[^]*invalid value for parameter "shared_buffers"/,
  );
});

test.runIf(existsSync(join(DEBIAN_15, "initdb")))("LATCHKEY_POSTGRES_BIN selects another PostgreSQL", async () => {
  const home = temporaryHome();
  const running = await start(home, { binDirectory: DEBIAN_15 });
  expect(await query(running.superuserUrl, "show server_version")).toMatchObject([
    { server_version: expect.stringMatching(/^15/) as string },
  ]);
  await running.stop();

  await expect(start(home)).rejects.toThrow(
    /postgres-15 contains data of PostgreSQL 15, which this PostgreSQL 18 cannot read: set LATCHKEY_POSTGRES_BIN/,
  );
  rmSync(join(home, "postgres-15"), { recursive: true });
  process.env.LATCHKEY_POSTGRES_BIN = DEBIAN_15;
  const named = await start(home).finally(() => delete process.env.LATCHKEY_POSTGRES_BIN);
  expect(named.major).toBe(15);
  await named.stop();
});
