import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { eventually } from "../../testing/eventually.ts";
import { createBatcher, type Batcher } from "./batch.ts";
import { createLog } from "../../runtime/log.ts";
import { openPool } from "../../runtime/pool.ts";
import { openPipelinedConnection, type PipelinedConnection } from "./pipeline.ts";

interface Did {
  id: number;
  xid: string;
}
type Group = Batcher<[string, number], Did>;

const patienceMs = 100;
const together =
  `with patience as materialized (select set_config('lock_timeout', '${patienceMs}', true)) ` +
  `select did(a.what, a.id) from patience, unnest($1::text[], $2::int[]) with ordinality as a(what, id, number) order by a.number`;

let database: TestDatabase;
let connection: PipelinedConnection;
let pool: pg.Pool;
let group: Group;
const holders: pg.Client[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`
    create table written (id int primary key);
    create table held as select id from generate_series(1, 9) id;
    create table late (id int primary key, other int references late deferrable initially deferred);
    create function did(what text, id int) returns json language plpgsql as $$ begin
      if what = 'write' then insert into written values (id);
      elsif what = 'lock' then perform from held h where h.id = did.id for update;
      elsif what = 'late' then insert into late values (id, id + 1);
      else perform pg_terminate_backend(pg_backend_pid());
      end if;
      return json_build_object('id', id, 'xid', pg_current_xact_id());
    end $$`);
});
afterAll(() => database.drop());
beforeEach(async () => {
  const options = { connectionString: database.superuserUrl, application_name: "group commit test" };
  connection = openPipelinedConnection(options, createLog("test", "silent"));
  pool = openPool({ ...options, max: 4 }, createLog("test", "silent"));
  group = groupOn(connection);
  await database.query("truncate written");
});
afterEach(async () => {
  // A test that failed would wait for ever for the row it holds.
  await Promise.all(holders.splice(0).map((holder) => holder.end()));
  await connection.stop();
  await pool.end();
});

const groupOn = (shared: PipelinedConnection): Group =>
  createBatcher({
    lockKeyOf: ([, id]) => String(id),
    runBatch: async (calls) => {
      const values = [calls.map(([what]) => what), calls.map(([, id]) => id)];
      return (await shared.query<{ did: Did }>({ text: together, values })).rows.map(({ did }) => did);
    },
    runSingle: async (call) => {
      const { rows } = await pool.query<{ did: Did }>("select did($1, $2)", call);
      return (rows as [{ did: Did }])[0].did;
    },
  });
const write = (id: number) => group.call(["write", id]);
const lock = (id: number) => group.call(["lock", id]);
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
  const numbers = Array.from({ length: 50 }, (_, index) => 50 - index);
  const answers = await Promise.all(numbers.map(write));
  expect(answers.map(({ id }) => id)).toEqual(numbers);
  expect(new Set(answers.map(({ xid }) => xid)).size).toBe(1);
  expect(group.waitingCount).toBe(0);
});

test("what is asked for while a call is under way is the next group, and a group has its bound", async () => {
  const letGo = await hold(1);
  const first = lock(1);
  await eventually("it waits for the row", async () => {
    return (await database.query("select from pg_locks where not granted")).length === 1;
  });
  const answers = Array.from({ length: 100 }, (_, index) => write(index));
  const xids = (await Promise.all(answers)).map(({ xid }) => xid);
  expect(new Set(xids.slice(0, 64)).size).toBe(1);
  expect(new Set(xids.slice(64)).size).toBe(1);
  expect(new Set(xids).size).toBe(2);
  await letGo();
  await first;
});

test("one call's failure is nobody else's, and nothing is done twice", async () => {
  await write(2);
  const answers = await Promise.allSettled([1, 2, 3].map(write));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(answers[1]).toMatchObject({ reason: { code: "23505" } });
  expect(await written()).toEqual([1, 2, 3]);
});

test("the failure of a call without company is told, and the next is asked", async () => {
  await write(2);
  await expect(write(2)).rejects.toMatchObject({ code: "23505" });
  expect((await write(3)).id).toBe(3);
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
  const options = { connectionString: database.superuserUrl, application_name: "group commit test" };
  const other = openPipelinedConnection(options, createLog("test", "silent"));
  const others = groupOn(other);
  for (let round = 0; round < 20; round++)
    await Promise.all([lock(1), lock(2), others.call(["lock", 2]), others.call(["lock", 1])]);
  await other.stop();
});

test("nobody is answered before the commit, and what it refuses is refused to each", async () => {
  const answers = await Promise.allSettled([1, 3].map((id) => group.call(["late", id])));
  expect(answers).toMatchObject(Array(2).fill({ status: "rejected", reason: { code: "23503" } }));
  expect(await database.query("select from late")).toEqual([]);
});

test("when the connection is lost, everybody is told, nobody is asked again, and the next have a new one", async () => {
  const answers = await Promise.allSettled([write(1), group.call(["end", 1]), write(2)]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await written()).toEqual([]);
  expect(pool.totalCount).toBe(0);
  const next = await Promise.all([write(3), write(4)]);
  expect(next.map(({ id }) => id)).toEqual([3, 4]);
});
