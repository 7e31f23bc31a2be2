import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { makeDatabase, type TestDatabase } from "../testing/database.ts";
import { eventually } from "../testing/eventually.ts";
import { openGroupCommit } from "./group_commit.ts";
import { makeLog } from "./log.ts";
import { openPool } from "./pool.ts";
import { openSharedConnection, type Asked, type SharedConnection } from "./shared_connection.ts";

let database: TestDatabase;
let connection: SharedConnection;
let pool: pg.Pool;
let calls: Asked;
const holders: pg.Client[] = [];
beforeAll(async () => {
  database = await makeDatabase();
  await database.query("create table written (id int primary key, xid xid8 default pg_current_xact_id())");
  await database.query("create table held (id int primary key)");
  await database.query("insert into held values (1), (2)");
});
afterAll(() => database.drop());
beforeEach(async () => {
  const options = { connectionString: database.superuserUrl, application_name: "group commit test" };
  connection = openSharedConnection(options, makeLog("test", "silent"));
  pool = openPool({ ...options, max: 4 }, makeLog("test", "silent"));
  calls = openGroupCommit(connection, pool);
  await database.query("truncate written");
});
afterEach(async () => {
  // A test that failed would wait for ever for the row it holds.
  await Promise.all(holders.splice(0).map((holder) => holder.end()));
  await connection.stop();
  await pool.end();
});

const write = (id: number) =>
  calls.query<{ id: number; xid: string }>({
    text: "insert into written values ($1) returning id, xid",
    values: [id],
  });
const lock = (id: number) =>
  calls.query({ text: "select from held where id = $1 for update", values: [id] }).then(() => id);
const written = async () =>
  (await database.query<{ id: number }>("select id from written order by id")).map(({ id }) => id);

/** Holds a row of table held until it is told to let go. */
async function hold(id: number): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from held where id = $1 for update", [id]);
  holders.push(holder);
  return () => holder.end();
}

test("what is asked for in one turn is one transaction, and each caller has its own answer", async () => {
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  const answers = (await Promise.all(numbers.map(write))).map(({ rows }) => rows[0]);
  expect(answers.map((row) => row?.id)).toEqual(numbers);
  expect(new Set(answers.map((row) => row?.xid)).size).toBe(1);
  expect(calls.waitingCount).toBe(0);
});

test("what is asked for while a call is under way is the next group, and a group has its bound", async () => {
  const letGo = await hold(1);
  const first = lock(1);
  await eventually("it waits for the row", async () => {
    return (await database.query("select from pg_locks where not granted")).length === 1;
  });
  const answers = Array.from({ length: 100 }, (_, index) => write(index));
  const xids = (await Promise.all(answers)).map(({ rows }) => rows[0]?.xid);
  expect(new Set(xids.slice(0, 64)).size).toBe(1);
  expect(new Set(xids.slice(64)).size).toBe(1);
  expect(new Set(xids).size).toBe(2);
  await letGo();
  await first;
});

test("a call without company is a transaction by itself, on a connection of the pool", async () => {
  const answer = await write(1);
  expect(answer.rows[0]?.id).toBe(1);
  expect(pool.totalCount).toBe(1);
});

test("one call's failure is nobody else's, and nothing is done twice", async () => {
  await write(2);
  const answers = await Promise.allSettled([1, 2, 3].map(write));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(answers[1]).toMatchObject({ reason: { code: "23505" } });
  expect(await written()).toEqual([1, 2, 3]);
});

test("a row that somebody holds keeps waiting only who asks for it", async () => {
  const letGo = await hold(1);
  let answered = false;
  const patient = lock(1).then(() => (answered = true));
  await Promise.all([write(1), write(2)]);
  await Promise.all([write(3), write(4)]);
  expect(await written()).toEqual([1, 2, 3, 4]);
  expect(answered).toBe(false);
  await letGo();
  await patient;
});

test("groups of two processes that cross each other's rows both come through", async () => {
  const other = openSharedConnection(
    { connectionString: database.superuserUrl, application_name: "group commit test" },
    makeLog("test", "silent"),
  );
  const others = openGroupCommit(other, pool);
  const lockThere = (id: number) =>
    others.query({ text: "select from held where id = $1 for update", values: [id] });
  for (let round = 0; round < 20; round++) await Promise.all([lock(1), lock(2), lockThere(2), lockThere(1)]);
  await other.stop();
});

test("nobody is answered before the commit, and what it refuses is told", async () => {
  await database.query(
    "create table late (id int primary key, other int constraint late_other references late deferrable initially deferred)",
  );
  const add = (id: number, other: number | null) =>
    calls.query({ text: "insert into late values ($1, $2)", values: [id, other] });
  const answers = await Promise.allSettled([add(1, null), add(2, 3)]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(answers[1]).toMatchObject({ reason: { code: "23503" } });
  expect(await database.query("select from late")).toEqual([]);
});

test("when the connection is lost, everybody is told, nobody is asked again, and the next have a new one", async () => {
  const end = () =>
    calls.query({ text: "select pg_terminate_backend(pg_backend_pid())" }).catch((error: unknown) => error);
  const answers = await Promise.allSettled([write(1), end(), write(2)]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  expect(await written()).toEqual([]);
  expect(pool.totalCount).toBe(0);
  const next = await Promise.all([write(3), write(4)]);
  expect(next.map(({ rows }) => rows[0]?.id)).toEqual([3, 4]);
});
