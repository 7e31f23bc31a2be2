import type pg from "pg";
import { expect } from "vitest";
import { begin, callerOf, claimsOf, test as baseTest, type Session } from "../fixtures/identity_fixtures.ts";

// A plan outlives a transaction, a worker is another process, and a snapshot outlives a statement: none of them may make
// a caller another one.

/** Functions of an application that ask who the caller is: one whose plans PostgreSQL keeps, one labelled wrongly. */
const test = baseTest.extend("application", { scope: "file", auto: true }, async ({ database, sessions: _ }) => {
  await database.query(`
    create function public.own_notes() returns setof uuid stable language plpgsql as $$
      begin return query select n.user_id from public.note n; end $$;
    create function public.caller() returns uuid stable parallel safe language sql as 'select latchkey.user_id()';
    insert into public.note select s.user_id from "user".session s, generate_series(1, 5000);
    analyze public.note;`);
});

const rowsOf = async (client: pg.Client, text: string, name?: string): Promise<unknown[]> =>
  (await client.query<{ user_id: string }>({ text, ...(name && { name }) })).rows.map(({ user_id }) => user_id);

test.for<[what: string, text: string]>([
  ["a table with a policy", "select distinct user_id from public.note"],
  ["a condition of its own", `select id as user_id from "user".account where id = latchkey.user_id()`],
  ["a function of the application", "select distinct own_notes as user_id from public.own_notes()"],
])("a generic plan made for one caller shows the next one its own rows: %s", async ([, text], { logIn, sessions }) => {
  const client = await logIn();
  await client.query("set plan_cache_mode = force_generic_plan");
  for (const session of [...sessions, ...sessions] as Session[]) {
    await client.query(begin(session));
    expect(await rowsOf(client, text, "kept")).toEqual([session.user_id]);
    await client.query("commit");
  }
  await client.query("begin; set local role latchkey_user");
  expect(await rowsOf(client, text, "kept")).toEqual([]);
  await client.query("rollback");
});

const parallel = `set local max_parallel_workers_per_gather = 2; set local min_parallel_table_scan_size = 0;
  set local parallel_setup_cost = 0; set local parallel_tuple_cost = 0;`;

test("the workers of a parallel scan compare with the caller of the leader", async ({
  logIn,
  sessions,
  connection,
}) => {
  const { rows } = await connection.query<{ name: string }>(
    "select name from pg_settings where name in ('debug_parallel_query', 'force_parallel_mode')",
  );
  const client = await logIn();
  for (const session of sessions) {
    await client.query(begin(session));
    await client.query(`${parallel} set local ${rows[0]?.name} = on`);
    const text = "select distinct user_id from public.note";
    const plan = await client.query(`explain (analyze, costs off, timing off) ${text}`);
    expect(JSON.stringify(plan.rows)).toMatch(/Workers Launched: [12]/);
    expect(await rowsOf(client, text)).toEqual([session.user_id]);
    expect(await callerOf(client)).toBe(session.user_id);
    // The application said that its function may run in a worker, where nobody is the caller.
    expect([[], [session.user_id]]).toContainEqual(await rowsOf(client, `${text} where user_id = public.caller()`));
    await client.query("commit");
  }
});

test("a transaction at repeatable read goes on with a session that has ended meanwhile; the next one does not", async ({
  connect,
  connection,
  sessions,
}) => {
  const [alice] = sessions as [Session];
  const client = await connect();
  // By a plan that is kept, which must not keep the answer.
  await client.query("set plan_cache_mode = force_generic_plan; prepare is_live as select latchkey.is_live() as live");
  const isLive = async () => (await client.query<{ live: boolean }>("execute is_live")).rows[0]?.live;
  const claims = claimsOf(alice);
  await client.query("begin isolation level repeatable read");
  await client.query("select latchkey.begin_session($1)", [claims]);
  expect(await isLive()).toBe(true);
  await connection.query('update "user".session set revoked_at = clock_timestamp() where id = $1', [alice.id]);
  expect(await isLive()).toBe(true);
  await client.query("commit");
  await client.query("begin isolation level repeatable read");
  await client.query("select latchkey.begin_session($1)", [claims]);
  expect(await isLive()).toBe(false);
  await client.query("commit");
});
