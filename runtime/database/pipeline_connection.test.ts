import { createServer, type AddressInfo } from "node:net";
import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { pidOf, test } from "../fixtures/pipeline_fixtures.ts";

test("a lost connection fails the statements in flight and is replaced", async ({ connection, database }) => {
  const before = await pidOf(connection);
  const waiting = connection.query({ text: "select pg_sleep(60)" });
  const lost = expect(waiting).rejects.toThrow();
  await database.query("select pg_terminate_backend($1)", [before]);
  await lost;
  // The next statement may still be sent over the dying connection; no later one is.
  await pidOf(connection).catch(() => undefined);
  expect(await pidOf(connection)).not.toBe(before);
});

test("a connection to a server that became a standby is replaced by one to the new primary", async ({ connection }) => {
  // A standby refuses writes with this error.
  const before = await pidOf(connection);
  await connection.query({ text: "set default_transaction_read_only = on" });
  await expect(connection.query({ text: "create table public.written ()" })).rejects.toMatchObject({
    code: "25006",
  });
  expect(await pidOf(connection)).not.toBe(before);
});

test("a renewed connection answers the statements in flight, and the next statement opens another", async ({
  connection,
}) => {
  const before = await pidOf(connection);
  const inFlight = pidOf(connection);
  connection.renew();
  expect(await pidOf(connection)).not.toBe(before);
  expect(await inFlight).toBe(before);
});

test("where nothing listens, every statement fails with NotConnected", async ({ openConnection }) => {
  const nowhere = openConnection({ connectionString: "postgres://127.0.0.1:1/nothing" });
  for (const port of [1, 1])
    await expect(nowhere.query({ text: "select 1" })).rejects.toMatchObject({
      name: "NotConnected",
      cause: { port },
    });
});

test("a stopped connection is not opened again", async ({ openConnection }) => {
  const own = openConnection();
  await own.stop();
  await expect(own.query({ text: "select 1" })).rejects.toThrow("Connection terminated");
});

test("an idle connection is closed, and the next statement opens one", async ({ openConnection, database }) => {
  const name = "idle shared connection";
  const own = openConnection({ application_name: name }, { idleMs: 100 });
  await own.query({ text: "select 1" });
  const open = () => database.query("select from pg_stat_activity where application_name = $1", [name]);
  await eventually("it is closed", async () => (await open()).length === 0);
  expect((await own.query({ text: "select 1 as one" })).rows).toEqual([{ one: 1 }]);
});

test("a connection is replaced at the end of its lifetime, and its statements are answered", async ({
  openConnection,
}) => {
  const own = openConnection({}, { lifetimeMs: 100 });
  const text = "select pg_backend_pid() as pid";
  const slow = { text: `${text}, pg_sleep(0.3)` };
  const [{ rows: first }] = [await own.query<{ pid: number }>(slow)];
  expect((await own.query<{ pid: number }>({ text })).rows[0]?.pid).not.toBe(first[0]?.pid);
});

test("a server that refuses without closing the connection is tried again", async ({ openConnection }) => {
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
  const own = openConnection({ connectionString: `postgres://somebody@127.0.0.1:${port}/nothing` });
  for (const code of ["53300", "53300"])
    await expect(own.query({ text: "select 1" })).rejects.toMatchObject({
      name: "NotConnected",
      cause: { code },
    });
  expect(connections).toBe(2);
  server.close();
});
