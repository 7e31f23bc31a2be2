import type pg from "pg";
import { expect } from "vitest";
import { begin, callerOf, claimsOf, test, type Session } from "../fixtures/identity_fixtures.ts";

const begun = (claims: object): string => `latchkey.begin_request('${JSON.stringify(claims)}')`;

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
