import { expect } from "vitest";
import { tableDigest } from "../../runtime/database/notifications.ts";
import { test } from "../fixtures/database_fixtures.ts";

// PostgreSQL delivers notifications after the commit, so pgTAP cannot see them.
test("a statement that writes to an application's table notifies of the table, once per transaction", async ({
  connection,
}) => {
  const received: { channel: string; payload?: string }[] = [];
  connection.on("notification", ({ channel, payload = "" }) => received.push({ channel, payload }));
  await connection.query(
    `create schema shop; create table shop."Order" (id integer); create table shop.other (id integer);
     grant all on shop."Order" to latchkey_user; grant usage on schema shop to latchkey_user;
     select latchkey.notify_changes('shop."Order"'); listen table_changed`,
  );
  /** Runs the statement. A connection receives its own notifications before the answer to its next statement. */
  const notificationsOf = async (statement: string) => {
    received.length = 0;
    await connection.query(statement);
    await connection.query("select");
    return [...received];
  };
  const once = [{ channel: "table_changed", payload: tableDigest("shop", "Order") }];
  for (const statement of [
    'insert into shop."Order" values (1), (2)',
    'update shop."Order" set id = id + 1',
    'delete from shop."Order"',
    'truncate shop."Order"',
    'begin; insert into shop."Order" values (1); update shop."Order" set id = 2; commit',
    'begin; set local role latchkey_user; insert into shop."Order" values (1); commit',
  ])
    expect(await notificationsOf(statement), statement).toEqual(once);
  for (const statement of [
    'begin; insert into shop."Order" values (1); rollback',
    'select from shop."Order"',
    "insert into shop.other values (1)",
  ])
    expect(await notificationsOf(statement), statement).toEqual([]);
  await connection.query('alter table shop."Order" rename to orders');
  expect(await notificationsOf("insert into shop.orders values (1)")).toEqual([
    { channel: "table_changed", payload: tableDigest("shop", "orders") },
  ]);
});

test("a flood of writes stores and sends one notification per transaction, and no row's data", async ({
  connection,
  connect,
}) => {
  const received: { channel: string; payload?: string }[] = [];
  const listener = await connect();
  listener.on("notification", ({ channel, payload = "" }) => received.push({ channel, payload }));
  await connection.query(
    "create table public.flood (owner integer, body text); select latchkey.notify_changes('public.flood')",
  );
  await listener.query("listen table_changed");
  // A listener that reads nothing: PostgreSQL keeps for it what the others have received.
  const stuck = await connect();
  await stuck.query("listen table_changed; begin; select");
  const body = "x".repeat(10_000);
  const flood = `insert into public.flood select n % 1000, 'x' from generate_series(1, 100000) n`;
  const floods = [
    flood,
    "update public.flood set owner = owner + 1",
    `insert into public.flood values (1, '${body}')`,
    "do $$ begin for n in 1..20000 loop insert into public.flood values (n, 'y'); end loop; end $$",
    // Each block with an exception is a transaction of its own to PostgreSQL, inside of the caller's.
    `do $$ begin for n in 1..1000 loop begin insert into public.flood values (n, 'z'); if n % 2 = 0 then raise 'undone'; end if;
       exception when raise_exception then null; end; end loop; end $$`,
    `begin; ${`${flood}; `.repeat(2)} commit`,
  ];
  for (const statement of floods) await connection.query(statement);
  await listener.query("select");
  expect(received).toEqual(floods.map(() => ({ channel: "table_changed", payload: tableDigest("public", "flood") })));
  // Of the 8 GB that hold what listeners have not read, less than 1 MB, that of other tests included.
  const { rows } = await connection.query<{ usage: number }>("select pg_notification_queue_usage() as usage");
  expect(rows[0]?.usage).toBeLessThan(1 / 8_192);
});
