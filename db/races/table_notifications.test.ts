import { expect } from "vitest";
import { tableDigest } from "../../runtime/notifications.ts";
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
