import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, onTestFinished } from "vitest";
import { serverConfig } from "../../config/config.ts";
import { createLog } from "../../runtime/log.ts";
import { keepsBackend, openPool } from "../../runtime/database/pool.ts";
import { readSql } from "../../db/sql_files.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { api } from "./api_functions.ts";
import { eventually } from "../../testing/eventually.ts";
import { raceBehindLock } from "../../testing/postgres/lock_race.ts";
import { openDatabase } from "./database.ts";
import { UnavailableError } from "../../runtime/database/errors.ts";

const log = createLog("test", "silent");
// On a busy machine a login takes longer than the default allows.
const poolOptions = { fast: 10, password: 4, connectionTimeoutMs: 60_000 };
const nobody = { client: "192.0.2.1", user_agent: null, label: null, guest_session_id: null };
const session = { error: null, data: { session_id: expect.any(String) as string } };

const test = baseTest
  .extend("url", { scope: "file" }, ({ database }) => serverConfig(database.env).SERVER_DATABASE_URL)
  /** The `database` as the server opens it. */
  .extend("server", { scope: "file" }, async ({ url }, { onCleanup }) => {
    const server = openDatabase(url, log, poolOptions);
    onCleanup(() => server.stop());
    await server.prepareStatements();
    return server;
  })
  .extend("createGuest", ({ server }) => (client = "192.0.2.1") => {
    return server.call(api.create_guest_session, { client, user_agent: null });
  });

// npm run test:pgbouncer is the counterpart: there, a prepared statement would fail within a few calls.
test("a statement is prepared once for a connection", async ({ server }) => {
  for (let turn = 0; turn < 3; turn++) await server.call(api.log_out, { session_id: randomUUID() });
  const { rows } = await server.query<{ name: string }>("select name from pg_prepared_statements");
  expect(rows).toEqual([{ name: "log_out callUnlessLocked" }]);
});

test("the time without other calls ends with any call but that of a password or a health check", async ({ server }) => {
  const startedAt = performance.now();
  await server.call(api.log_out, { session_id: randomUUID() });
  const endedAt = performance.now();
  expect(server.idleMs()).toBeLessThanOrEqual(performance.now() - startedAt);
  await server.call(api.check_health, {});
  await server.call(api.log_in, { ...nobody, phone: "+12125550199", password_prehash: "" });
  expect(server.idleMs()).toBeGreaterThanOrEqual(performance.now() - endedAt);
});

test("a function that runs at most once waits for a locked row instead of being retried", async ({
  database,
  server,
}) => {
  const credentials = { phone: "+12125550100", password_prehash: "" };
  const logIn = () => server.call(api.log_in, { ...nobody, ...credentials });
  await logIn();
  const text = "select from platform.rate_limit where position($1 in key) > 0 for update";
  const lock = { text, values: [credentials.phone] };
  const waiting = `select application_name as pool from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  let pools: object[] = [];
  const readPools = async () => (pools = await database.query(waiting));
  const { error } = await raceBehindLock(database, lock, 1, logIn, readPools);
  expect(error).toMatchObject({ details: { reason: "login_refused" } });
  expect(pools, "a call that is retried waits in the pool for locked rows").toEqual([
    { pool: "latchkey server password" },
  ]);
});

test("calls that arrive together are one transaction, and each is answered", async ({ database, createGuest }) => {
  const answers = await Promise.all([createGuest(), createGuest(), createGuest()]);
  const ids = answers.map(({ data }) => data?.session_id);
  expect(new Set(ids).size).toBe(3);
  const text = `select distinct xmin::text from "user".session where id = any($1::uuid[])`;
  expect(await database.query(text, [ids])).toHaveLength(1);
});

test("many guests of few addresses get exactly their limit, over several processes", async ({
  database,
  url,
  server,
}) => {
  const other = openDatabase(url, log, poolOptions);
  onTestFinished(() => other.stop());
  await database.query(`insert into settings.configuration (key, value) values ('GUEST_PER_IP', '"7/3600"')
     on conflict (key) do update set value = excluded.value`);
  const addresses = Array.from({ length: 300 }, (_, index) => `198.51.100.${(index * 7) % 20}`);
  const ask = (client: string, index: number) =>
    (index % 2 ? other : server).call(api.create_guest_session, { client, user_agent: null });
  const answers = await Promise.all(addresses.map(ask));
  await database.query(`update settings.configuration set value = '"off"' where key = 'GUEST_PER_IP'`);
  expect(answers.filter((answer) => answer.error === null)).toHaveLength(7 * 20);
  expect(answers.filter((answer) => answer.error?.code === "RATE_LIMIT_EXCEEDED")).toHaveLength(300 - 7 * 20);
});

test("calls that wait for rows are bounded, and do not delay health checks", async ({
  database,
  server,
  createGuest,
}) => {
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  onTestFinished(() => holder.end());
  await holder.connect();
  await holder.query(`begin; lock table "user".session`);
  const waiting: Promise<unknown>[] = [];
  let busy = 0;
  const countBusy = (error: unknown) => {
    if (error instanceof UnavailableError && error.message.endsWith("pool is busy")) busy++;
  };
  await eventually("the queue of the pool is full", () => {
    // From different clients: calls of one client would wait for their turn instead.
    for (let call = 0; call < 100; call++) waiting.push(createGuest(`client ${waiting.length}`).catch(countBusy));
    return Promise.resolve(busy > 0);
  });
  expect(await server.call(api.check_health, {})).toMatchObject({ error: null });
  await holder.end();
  await Promise.all(waiting);
  expect(await createGuest()).toMatchObject(session);
});

test("long calls do not delay health checks: health has a connection of its own", async ({ database, url }) => {
  const name = "busy for long";
  const busy = openDatabase(url, log, { ...poolOptions, fast: 2, password: 1 });
  const calls = [1, 2].map(() => busy.query(`select pg_sleep(60) /* ${name} */`).catch(() => undefined));
  const running = `from pg_stat_activity where datname = current_database() and query like '%pg_sleep%${name}%' and pid <> pg_backend_pid()`;
  onTestFinished(async () => {
    await database.query(`select pg_cancel_backend(pid) ${running}`);
    await Promise.all(calls);
    await busy.stop();
  });
  await eventually("no fast connection is free", async () => {
    return (await database.query(`select ${running}`)).length === 2;
  });
  expect(await busy.call(api.check_health, {})).toMatchObject({ error: null });
});

test("codes of one phone that wait for a batch are bounded, and another phone's are checked", async ({ server }) => {
  const check = (phone: string) =>
    server.call(api.log_in_by_otp, {
      ...nobody,
      phone,
      email: null,
      otp: "123456",
      code_key: Buffer.alloc(32),
    });
  // All calls are made in one turn of the event loop: none is in a batch yet.
  const crowd = Array.from({ length: 400 }, () => check("+12125550101"));
  const other = check("+12125550102");
  const outcomes = await Promise.allSettled(crowd);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(100);
  expect(outcomes[399]).toMatchObject({ reason: { message: "too many calls wait for a row" } });
  expect((await other).error).not.toBeNull();
});

test("running servers can call functions that a migration re-creates", async ({ database, createGuest }) => {
  await createGuest();
  await database.query("drop function api.create_guest_session(text, text)");
  await database.query(readSql("functions/api/sessions/create_guest_session.sql"));
  expect(await createGuest()).toMatchObject(session);
});

const resetRequest = {
  phone: "+12125550100",
  client: "192.0.2.1",
  code_key: Buffer.alloc(32, 7),
  country: "US",
  number_type: "MOBILE",
  languages: ["de", "en"],
};

test("an error that the function does not declare is a fault", async ({ database, server }) => {
  const call = () => server.call(api.request_password_reset, resetRequest);
  const file = readSql("functions/api/accounts/request_password_reset.sql");
  await database.query("drop function api.request_password_reset");
  await database.query(file.replace(/\bbegin\b/, "begin return row(private.error('INVALID_OTP'), null::uuid);"));
  await expect(call()).rejects.toThrow("INVALID_OTP is not among the errors");
  await database.query("drop function api.request_password_reset");
  await database.query(file);
  expect(await call()).toMatchObject({ error: null });
});

test("an answer without attributes is parsed", async ({ server }) => {
  expect(await server.call(api.check_health, {})).toEqual({ error: null, data: {} });
});

test("a login that names another backend is a pooler's", async ({ url }) => {
  const pool = openPool({ connectionString: url, application_name: "test", max: 1 }, log);
  onTestFinished(() => pool.end());
  expect(await keepsBackend(pool)).toBe(true);
  const client = await pool.connect();
  (client as unknown as { processID: number }).processID++;
  client.release();
  expect(await keepsBackend(pool)).toBe(false);
});
