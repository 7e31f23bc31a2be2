import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { blockedConnections } from "../../testing/lock_race.ts";
import { createBatcher, type Batcher } from "../../runtime/batch.ts";
import { createLog } from "../../runtime/log.ts";
import { openPool } from "../../runtime/pool.ts";
import { openPipelinedConnection, type PipelinedConnection } from "./pipeline.ts";

interface Written {
  id: number;
  xid: string;
}
type TestBatcher = Batcher<[string, number], Written>;

const lockTimeoutMs = 100;
const batchStatement =
  `with lock_timeout as materialized (select set_config('lock_timeout', '${lockTimeoutMs}', true)) ` +
  `select run(a.what, a.id) as answer from lock_timeout, unnest($1::text[], $2::int[]) with ordinality as a(what, id, number) order by a.number`;

let database: TestDatabase;
let connection: PipelinedConnection;
let pool: pg.Pool;
let batcher: TestBatcher;
const holders: pg.Client[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    create table written (id int primary key);
    create table held as select id from generate_series(1, 9) id;
    create table late (id int primary key, other int references late deferrable initially deferred);
    create function run(what text, id int) returns json language plpgsql as $$ begin
      if what = 'write' then insert into written values (id);
      elsif what = 'lock' then perform from held h where h.id = run.id for update;
      elsif what = 'late' then insert into late values (id, id + 1);
      else perform pg_terminate_backend(pg_backend_pid());
      end if;
      return json_build_object('id', id, 'xid', pg_current_xact_id());
    end $$`);
});
afterAll(() => database.drop());
beforeEach(async () => {
  const options = { connectionString: database.superuserUrl, application_name: "batch test" };
  connection = openPipelinedConnection(options, createLog("test", "silent"));
  pool = openPool({ ...options, max: 4 }, createLog("test", "silent"));
  batcher = createOn(connection);
  await database.query("truncate written");
});
afterEach(async () => {
  // A failed test would leave its row locked.
  await Promise.all(holders.splice(0).map((holder) => holder.end()));
  await connection.stop();
  await pool.end();
});

const createOn = (pipelined: PipelinedConnection): TestBatcher =>
  createBatcher({
    ...{ lockKeyOf: ([, id]) => String(id), maxSize: 64 },
    runBatch: async (calls) => {
      const values = [calls.map(([what]) => what), calls.map(([, id]) => id)];
      return (await pipelined.query<{ answer: Written }>({ text: batchStatement, values })).rows.map(
        ({ answer }) => answer,
      );
    },
    runSingle: async (call) => {
      const { rows } = await pool.query<{ answer: Written }>("select run($1, $2) as answer", call);
      return (rows as [{ answer: Written }])[0].answer;
    },
  });
const write = (id: number) => batcher.call(["write", id]);
const lock = (id: number) => batcher.call(["lock", id]);
const written = async () =>
  (await database.query<{ id: number }>("select id from written order by id")).map(({ id }) => id);

/** Locks a row of the table `held`. The result unlocks it. */
async function hold(id: number): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: database.superuserUrl });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from held where id = $1 for update", [id]);
  holders.push(holder);
  return () => holder.end();
}

test("calls of one turn of the event loop are one transaction, and each caller gets its own answer", async () => {
  const numbers = Array.from({ length: 50 }, (_, index) => 50 - index);
  const answers = await Promise.all(numbers.map(write));
  expect(answers.map(({ id }) => id)).toEqual(numbers);
  expect(new Set(answers.map(({ xid }) => xid)).size).toBe(1);
  expect(batcher.waitingCount).toBe(0);
});

test("calls that arrive while a batch runs form the next one, and a batch has a maximum size", async () => {
  const unlock = await hold(1);
  const first = lock(1);
  await blockedConnections(database, 1);
  const answers = Array.from({ length: 100 }, (_, index) => write(index));
  const xids = (await Promise.all(answers)).map(({ xid }) => xid);
  expect(new Set(xids.slice(0, 64)).size).toBe(1);
  expect(new Set(xids.slice(64)).size).toBe(1);
  expect(new Set(xids).size).toBe(2);
  await unlock();
  await first;
});

test("one call's failure affects no other, and nothing is done twice", async () => {
  await write(2);
  const answers = await Promise.allSettled([1, 2, 3].map(write));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(answers[1]).toMatchObject({ reason: { code: "23505" } });
  expect(await written()).toEqual([1, 2, 3]);
});

test("a single call's failure is returned, and the next call runs", async () => {
  await write(2);
  await expect(write(2)).rejects.toMatchObject({ code: "23505" });
  expect((await write(3)).id).toBe(3);
});

test("a locked row delays only the calls that need it", async () => {
  const unlock = await hold(1);
  let answered = false;
  const waiting = lock(1).then(() => (answered = true));
  await Promise.all([write(1), write(2)]);
  await Promise.all([write(3), write(4)]);
  expect(await written()).toEqual([1, 2, 3, 4]);
  expect(answered).toBe(false);
  await unlock();
  await waiting;
});

test("batches of two processes that need the same rows in opposite orders both succeed", async () => {
  const options = { connectionString: database.superuserUrl, application_name: "batch test" };
  const other = openPipelinedConnection(options, createLog("test", "silent"));
  const others = createOn(other);
  for (let round = 0; round < 20; round++)
    await Promise.all([lock(1), lock(2), others.call(["lock", 2]), others.call(["lock", 1])]);
  await other.stop();
});

test("no call is answered before COMMIT, and a failed COMMIT fails every call", async () => {
  const answers = await Promise.allSettled([1, 3].map((id) => batcher.call(["late", id])));
  expect(answers).toMatchObject(Array(2).fill({ status: "rejected", reason: { code: "23503" } }));
  expect(await database.query("select from late")).toEqual([]);
});

test("when the connection is lost, every call of the batch fails, none is retried, and later calls get a new connection", async () => {
  const answers = await Promise.allSettled([write(1), batcher.call(["end", 1]), write(2)]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await written()).toEqual([]);
  expect(pool.totalCount).toBe(0);
  const next = await Promise.all([write(3), write(4)]);
  expect(next.map(({ id }) => id)).toEqual([3, 4]);
});
