import { createServer, type AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { createLog } from "../../runtime/log.ts";
import { openPipelinedConnection, type PipelinedConnection } from "./pipeline.ts";

const application_name = "shared connection test";

let database: TestDatabase;
let shared: PipelinedConnection;
beforeAll(async () => {
  database = await createTestDatabase();
  shared = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name },
    createLog("test", "silent"),
  );
});
afterAll(async () => {
  await shared.stop();
  await database.drop();
});

const pid = async () =>
  (await shared.query<{ pid: number }>({ text: "select pg_backend_pid() as pid" })).rows[0]?.pid;

test("everybody is answered by the same backend, each with its own answer", async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  const asked = numbers.map((number) =>
    shared.query<{ number: number }>({ text: "select $1::int as number", values: [number] }),
  );
  expect((await Promise.all(asked)).map(({ rows }) => rows[0]?.number)).toEqual(numbers);
  expect(new Set(await Promise.all([pid(), pid(), pid()])).size).toBe(1);
  expect(shared.waitingCount).toBe(0);
});

test("one statement's failure is nobody else's", async () => {
  const before = await pid();
  const [first, wrong, last] = await Promise.allSettled([pid(), shared.query({ text: "select 1/0" }), pid()]);
  expect(wrong).toMatchObject({ status: "rejected", reason: { code: "22012" } });
  expect([first, last]).toEqual([
    { status: "fulfilled", value: before },
    { status: "fulfilled", value: before },
  ]);
});

test("a connection that is lost is made anew, and whoever was waiting is told", async () => {
  const before = await pid();
  const waiting = shared.query({ text: "select pg_sleep(60)" });
  const lost = expect(waiting).rejects.toThrow();
  await database.query("select pg_terminate_backend($1)", [before]);
  await lost;
  // The next may still meet the dying connection; nobody after that does.
  await pid().catch(() => undefined);
  expect(await pid()).not.toBe(before);
});

test("a connection to a server that became a standby is given up for one to the new primary", async () => {
  // What a standby says of a write.
  const before = await pid();
  await shared.query({ text: "set default_transaction_read_only = on" });
  await expect(shared.query({ text: "create table public.written ()" })).rejects.toMatchObject({
    code: "25006",
  });
  expect(await pid()).not.toBe(before);
});

test("a statement that is not answered in time loses the connection, and nobody has to wait for it", async () => {
  const impatient = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name, query_timeout: 1_000 },
    createLog("test", "silent"),
  );
  const [slow, behind] = await Promise.allSettled([
    impatient.query({ text: "select pg_sleep(60)" }),
    impatient.query({ text: "select 1" }),
  ]);
  expect([slow.status, behind.status]).toEqual(["rejected", "rejected"]);
  expect((await impatient.query({ text: "select 1 as one" })).rows).toEqual([{ one: 1 }]);
  await impatient.stop();
});

test("many who lose a connection at once close it once", async () => {
  const warnings: Error[] = [];
  const heard = (warning: Error) => warnings.push(warning);
  process.on("warning", heard);
  const impatient = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name, query_timeout: 200 },
    createLog("test", "silent"),
  );
  await impatient.query({ text: "select 1" });
  const waiting = Array.from({ length: 100 }, () => impatient.query({ text: "select pg_sleep(60)" }));
  const lost = await Promise.allSettled(waiting);
  expect(new Set(lost.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  await impatient.stop();
  // Node says it in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", heard);
  expect(warnings).toEqual([]);
});

test("where nothing listens it says so, each time anew", async () => {
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

test("when it stops, those who were waiting are answered first", async () => {
  const own = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name },
    createLog("test", "silent"),
  );
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("select pg_advisory_lock(4712)");
  const asked = own.query({ text: "select 'answered' as it from pg_advisory_lock_shared(4712)" });
  await eventually("it waits", async () => {
    return (await holder.query("select from pg_locks where objid = 4712 and not granted")).rows.length === 1;
  });
  const stopped = own.stop();
  await holder.end();
  expect((await asked).rows).toEqual([{ it: "answered" }]);
  await stopped;
});

test("nobody opens another after the end", async () => {
  const own = openPipelinedConnection(
    { connectionString: database.superuserUrl, application_name },
    createLog("test", "silent"),
  );
  await own.stop();
  await expect(own.query({ text: "select 1" })).rejects.toThrow("Connection terminated");
});

test("a connection that nobody uses is closed, and the next statement has one again", async () => {
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

test("a connection that is old is replaced, and what it was asked is answered", async () => {
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

test("a server that refuses and does not hang up is asked anew", async () => {
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
