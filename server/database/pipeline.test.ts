import { createServer, type AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { createLog } from "../../runtime/log.ts";
import { openPipelinedConnection, type PipelinedConnection } from "./pipeline.ts";

const application_name = "pipeline test";

let database: TestDatabase;
let connection: PipelinedConnection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name },
    createLog("test", "silent"),
  );
});
afterAll(async () => {
  await connection.stop();
  await database.drop();
});

const pid = async () =>
  (await connection.query<{ pid: number }>({ text: "select pg_backend_pid() as pid" })).rows[0]?.pid;

test("one backend answers every caller with its own result", async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  const queries = numbers.map((number) =>
    connection.query<{ number: number }>({ text: "select $1::int as number", values: [number] }),
  );
  expect((await Promise.all(queries)).map(({ rows }) => rows[0]?.number)).toEqual(numbers);
  expect(new Set(await Promise.all([pid(), pid(), pid()])).size).toBe(1);
  expect(connection.waitingCount).toBe(0);
});

test("one statement's failure affects no other", async () => {
  const before = await pid();
  const [first, wrong, last] = await Promise.allSettled([
    pid(),
    connection.query({ text: "select 1/0" }),
    pid(),
  ]);
  expect(wrong).toMatchObject({ status: "rejected", reason: { code: "22012" } });
  expect([first, last]).toEqual([
    { status: "fulfilled", value: before },
    { status: "fulfilled", value: before },
  ]);
});

test("a lost connection fails the statements in flight and is replaced", async () => {
  const before = await pid();
  const waiting = connection.query({ text: "select pg_sleep(60)" });
  const lost = expect(waiting).rejects.toThrow();
  await database.query("select pg_terminate_backend($1)", [before]);
  await lost;
  // The next statement may still be sent over the dying connection; no later one is.
  await pid().catch(() => undefined);
  expect(await pid()).not.toBe(before);
});

test("a connection to a server that became a standby is replaced by one to the new primary", async () => {
  // A standby refuses writes with this error.
  const before = await pid();
  await connection.query({ text: "set default_transaction_read_only = on" });
  await expect(connection.query({ text: "create table public.written ()" })).rejects.toMatchObject({
    code: "25006",
  });
  expect(await pid()).not.toBe(before);
});

test("a statement that times out closes the connection, so that no other waits for it", async () => {
  const timed = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name, query_timeout: 1_000 },
    createLog("test", "silent"),
  );
  const [slow, behind] = await Promise.allSettled([
    timed.query({ text: "select pg_sleep(60)" }),
    timed.query({ text: "select 1" }),
  ]);
  expect([slow.status, behind.status]).toEqual(["rejected", "rejected"]);
  expect((await timed.query({ text: "select 1 as one" })).rows).toEqual([{ one: 1 }]);
  await timed.stop();
});

test("many callers that lose a connection at once close it once", async () => {
  const warnings: Error[] = [];
  const heard = (warning: Error) => warnings.push(warning);
  process.on("warning", heard);
  const timed = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name, query_timeout: 200 },
    createLog("test", "silent"),
  );
  await timed.query({ text: "select 1" });
  const waiting = Array.from({ length: 100 }, () => timed.query({ text: "select pg_sleep(60)" }));
  const lost = await Promise.allSettled(waiting);
  expect(new Set(lost.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  await timed.stop();
  // Node emits the warning in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", heard);
  expect(warnings).toEqual([]);
});

test("where nothing listens, every statement fails with NotConnected", async () => {
  const nowhere = openPipelinedConnection(
    { connectionString: "postgres://127.0.0.1:1/nothing", application_name },
    createLog("test", "silent"),
  );
  for (const port of [1, 1])
    await expect(nowhere.query({ text: "select 1" })).rejects.toMatchObject({
      name: "NotConnected",
      cause: { port },
    });
  await nowhere.stop();
});

test("stopping waits for the statements in flight", async () => {
  const own = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name },
    createLog("test", "silent"),
  );
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("select pg_advisory_lock(4712)");
  const answer = own.query({ text: "select 'answered' as it from pg_advisory_lock_shared(4712)" });
  await eventually("the statement waits", async () => {
    return (await holder.query("select from pg_locks where objid = 4712 and not granted")).rows.length === 1;
  });
  const stopped = own.stop();
  await holder.end();
  expect((await answer).rows).toEqual([{ it: "answered" }]);
  await stopped;
});

test("a stopped connection is not opened again", async () => {
  const own = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name },
    createLog("test", "silent"),
  );
  await own.stop();
  await expect(own.query({ text: "select 1" })).rejects.toThrow("Connection terminated");
});

test("an idle connection is closed, and the next statement opens one", async () => {
  const name = "idle shared connection";
  const own = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name: name },
    createLog("test", "silent"),
    { idleMs: 100 },
  );
  await own.query({ text: "select 1" });
  const open = () => database.query("select from pg_stat_activity where application_name = $1", [name]);
  await eventually("it is closed", async () => (await open()).length === 0);
  expect((await own.query({ text: "select 1 as one" })).rows).toEqual([{ one: 1 }]);
  await own.stop();
});

test("a connection is replaced at the end of its lifetime, and its statements are answered", async () => {
  const own = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name },
    createLog("test", "silent"),
    { lifetimeMs: 100 },
  );
  const text = "select pg_backend_pid() as pid";
  const slow = { text: `${text}, pg_sleep(0.3)` };
  const [{ rows: first }] = [await own.query<{ pid: number }>(slow)];
  expect((await own.query<{ pid: number }>({ text })).rows[0]?.pid).not.toBe(first[0]?.pid);
  await own.stop();
});

test("a server that refuses without closing the connection is tried again", async () => {
  let connections = 0;
  const refusal = Buffer.from("SFATAL\0C53300\0Mtoo many clients\0\0");
  const header = Buffer.alloc(5, "E");
  header.writeInt32BE(refusal.length + 4, 1);
  const server = createServer((socket) => {
    connections++;
    socket.on("error", () => undefined).once("data", () => socket.write(Buffer.concat([header, refusal])));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const own = openPipelinedConnection(
    { connectionString: `postgres://somebody@127.0.0.1:${port}/nothing`, application_name },
    createLog("test", "silent"),
  );
  for (const code of ["53300", "53300"])
    await expect(own.query({ text: "select 1" })).rejects.toMatchObject({
      name: "NotConnected",
      cause: { code },
    });
  expect(connections).toBe(2);
  await own.stop();
  server.close();
});
