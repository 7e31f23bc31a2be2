import pg from "pg";
import { expect } from "vitest";
import { graphqlConfig } from "../../config/config.ts";
import { beginSql } from "../../graphql/engine/execution/statements.ts";
import { test as baseTest } from "../fixtures/database_fixtures.ts";

interface Session {
  id: string;
  user_id: string;
}

const test = baseTest
  /** Users who are signed in, an own table whose policy asks whether the session is live, and functions that do harm. */
  .extend("sessions", { scope: "file" }, async ({ database }) => {
    await database.query(`
      insert into "user".account (id, phone, phone_verified_at)
        select private.new_id(), '+1202555010' || n, now() from generate_series(1, 2) n;
      select private.open_session(row(a.id, null, '192.0.2.1', null, null, null)::private.sign_in) from "user".account a;
      create table public.note (user_id uuid not null default latchkey.user_id());
      alter table public.note enable row level security;
      create policy "a user sees its own notes" on public.note to latchkey_user
        using (user_id = (select latchkey.user_id()) and (select latchkey.is_live()));
      grant select on public.note to latchkey_user;
      insert into public.note select s.user_id from "user".session s;
      create function public.run(text text) returns void language plpgsql as $$ begin execute run.text; end $$;`);
    return database.query<Session>('select s.id, s.user_id from "user".session s order by s.id');
  })
  /** Opens a connection of GraphQL's login role. */
  .extend("logIn", ({ database }, { onCleanup }) => {
    const clients: pg.Client[] = [];
    onCleanup(async () => {
      await Promise.all(clients.map((client) => client.end()));
    });
    return async (): Promise<pg.Client> => {
      const client = new pg.Client({ connectionString: graphqlConfig(database.env).GRAPHQL_DATABASE_URL });
      clients.push(client);
      await client.connect();
      return client;
    };
  });

const begin = ({ id, user_id: userId }: Session): string =>
  beginSql({ role: "latchkey_user", "latchkey.session_id": id, "latchkey.user_id": userId }, false);
const begun = (claims: object): string => `latchkey.begin_request('${JSON.stringify(claims)}')`;
const claimsOf = ({ id, user_id: userId }: Session) => ({ sub: userId, sid: id, user_type: "user" });

const callerOf = async (client: pg.Client): Promise<unknown> =>
  (await client.query<{ caller: string | null }>("select latchkey.user_id() as caller")).rows[0]?.caller;

test("a policy with is_live() refuses from the statement after a logout on", async ({ logIn, sessions, database }) => {
  const [alice] = sessions as [Session];
  const client = await logIn();
  await client.query(begin(alice));
  const notes = async (): Promise<unknown> => (await client.query("select user_id from public.note")).rows;
  expect(await notes()).toEqual([{ user_id: alice.user_id }]);
  await client.query("declare earlier cursor for select user_id from public.note");
  await database.query('update "user".session set revoked_at = clock_timestamp() where id = $1', [alice.id]);
  expect(await notes()).toEqual([]);
  // A statement goes on with the snapshot that it began with.
  expect((await client.query("fetch all from earlier")).rows).toEqual([{ user_id: alice.user_id }]);
  await client.query("commit");
});

test("no function that a request calls makes the caller another one", async ({ logIn, sessions }) => {
  const [alice, bob] = sessions as [Session, Session];
  const client = await logIn();
  const other = claimsOf(alice);
  for (const attack of [
    `select set_config('request.jwt.claims', '${JSON.stringify(other)}', true)`,
    `select set_config('request.jwt.claims', '${JSON.stringify(other)}', false), set_config('latchkey.identity', '', true)`,
    `select set_config('latchkey.identity', '${JSON.stringify(other)}', true)`,
    `select ${begun(other)}`,
    `select latchkey.begin_session('${JSON.stringify(other)}')`,
    `reset role; select ${begun(other)}`,
    `set role latchkey_graphql; select ${begun(other)}`,
    `set role latchkey_admin; select set_config('request.jwt.claims', '${JSON.stringify(other)}', true)`,
  ]) {
    await client.query(begin(bob));
    await client.query("savepoint before");
    await client.query("select public.run($1)", [attack]).catch(() => client.query("rollback to before"));
    expect([bob.user_id, null], attack).toContain(await callerOf(client));
    await client.query("rollback");
  }
});

test("begin_request is refused in a message that does not begin the transaction", async ({ logIn, sessions }) => {
  const [alice, bob] = sessions as [Session, Session];
  const client = await logIn();
  await client.query("begin");
  await expect(client.query(`select ${begun(claimsOf(alice))}`)).rejects.toMatchObject({ code: "42501" });
  await client.query("rollback");
  await client.query(begin(bob));
  await client.query("reset role");
  await expect(client.query(`select ${begun(claimsOf(alice))}`)).rejects.toMatchObject({ code: "42501" });
  await client.query("rollback");
});

test("sealed claims are worth nothing in another transaction, of this process or of another", async ({
  logIn,
  sessions,
}) => {
  const [alice, bob] = sessions as [Session, Session];
  const [first, second] = [await logIn(), await logIn()];
  await first.query(begin(alice));
  expect(await callerOf(first)).toBe(alice.user_id);
  const { rows } = await first.query<{ sealed: string }>("select current_setting('latchkey.identity') as sealed");
  const replay = async (client: pg.Client): Promise<unknown> => {
    await client.query(begin(bob));
    await client.query("select set_config('latchkey.identity', $1, true)", [rows[0]?.sealed]);
    const caller = await callerOf(client);
    await client.query("rollback");
    return caller;
  };
  expect(await replay(second)).toBeNull();
  await first.query("rollback");
  expect(await replay(first)).toBeNull();
});

test("nobody is the caller once the transaction has ended", async ({ logIn, sessions, connect }) => {
  const [, bob] = sessions as [Session, Session];
  const client = await logIn();
  await client.query(begin(bob));
  await client.query("commit");
  await client.query("begin; set local role latchkey_user");
  expect(await callerOf(client)).toBeNull();
  await client.query("rollback");

  const own = await connect();
  await own.query("begin");
  await own.query("select latchkey.begin_session($1)", [claimsOf(bob)]);
  expect(await callerOf(own)).toBe(bob.user_id);
  await own.query("commit");
  expect(await callerOf(own)).toBeNull();
});
