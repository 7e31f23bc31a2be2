import { expect } from "vitest";
import { test as baseTest } from "../fixtures/database_fixtures.ts";

const test = baseTest.extend("slowHook", { scope: "file" }, async ({ database }) => {
  await database.query(`create table public.cart (id integer primary key);
    insert into public.cart values (1);
    grant select, update on public.cart to latchkey_hook;
    create function hook.claims(user_id uuid, session_id uuid) returns jsonb language plpgsql as
      $$ begin
        perform from public.cart for update;
        return jsonb_build_object('lock', current_setting('lock_timeout'), 'transaction', current_setting('transaction_timeout', true));
      end $$`);
});
const call = "select private.hook_claims(null, null) as claims";

test("a hook has time-outs of its own, and leaves those of the transaction and of the session as they were", async ({
  slowHook: _,
  connect,
}) => {
  const client = await connect();
  const settings = async () =>
    (
      await client.query<object>(
        "select current_setting('lock_timeout') as lock, current_setting('transaction_timeout', true) as transaction",
      )
    ).rows[0];
  const before = (await settings()) as { transaction: string | null };
  await client.query("begin; set local lock_timeout = '2s'");
  const { rows } = await client.query<{ claims: object }>(call);
  expect(rows[0]?.claims).toEqual({ lock: "400ms", transaction: before.transaction === null ? null : "500ms" });
  expect(await settings()).toEqual({ ...before, lock: "2s" });
  await client.query("commit");
  expect(await settings()).toEqual(before);
  // Without a time-out a hook has one all the same.
  expect((await client.query<{ claims: object }>(call)).rows[0]?.claims).toMatchObject({ lock: "400ms" });
  expect(await settings()).toEqual(before);
});

test("a locked row is the hook's fault, unless the caller has a shorter time-out and tries again", async ({
  slowHook: _,
  connect,
}) => {
  const [holder, client] = [await connect(), await connect()];
  await holder.query("begin; select from public.cart for update");
  await client.query("begin; set local lock_timeout = '20ms'");
  await expect(client.query(call)).rejects.toMatchObject({ code: "55P03" });
  await client.query("rollback");
  for (const timeout of ["0", "400ms", "450ms", "2s"]) {
    await client.query(`begin; set local lock_timeout = '${timeout}'`);
    await expect(client.query(call), timeout).rejects.toMatchObject({ code: "HK000" });
    await client.query("rollback");
  }
  await holder.query("commit");
});

test("what a hook defers is done before the request goes on, and its fault is the hook's", async ({
  database,
  connect,
}) => {
  await database.query(`create table public.parent (id integer primary key);
    create table public.child (id integer references public.parent deferrable initially deferred);
    grant insert on public.child to latchkey_hook;
    create function hook.account_created(user_id uuid) returns void language sql as $$ insert into public.child values (1) $$`);
  const client = await connect();
  await expect(
    client.query(
      `insert into "user".account (id, phone, phone_verified_at) values (private.new_id(), '+12025550101', now())`,
    ),
  ).rejects.toMatchObject({
    code: "HK000",
    message: expect.stringMatching(/^hook\.account_created failed: insert or update on table "child"/) as string,
  });
});
