import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDatabase, type TestDatabase } from "../../testing/test_database.ts";
import { apiFunctions } from "./api_functions.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.drop());

interface Argument {
  function: string;
  argument: string | null;
  type: string | null;
}

test("the table has the functions of schema api, with their arguments in their order, and no other", async () => {
  const rows = await database.query<Argument>(
    `select p.proname as function, a.name as argument, format_type(a.type, null) as type
     from pg_proc p
     left join lateral unnest(p.proargnames, p.proargtypes::oid[]) with ordinality a (name, type, position) on true
     where p.pronamespace = 'api'::regnamespace order by p.proname, a.position`,
  );
  const catalog = rows.map((row) => [row.function, row.argument, row.type]);
  const table = Object.entries(apiFunctions).flatMap(([name, { args }]) => {
    const list = Object.entries(args);
    return list.length > 0 ? list.map(([argument, type]) => [name, argument, type]) : [[name, null, null]];
  });
  const inOrder = table.toSorted(([one], [other]) => (one! < other! ? -1 : one! > other! ? 1 : 0));
  expect(catalog).toEqual(inOrder);
});

test("the server may call every one of them, and nobody else may", async () => {
  const rows = await database.query<{ name: string; callers: string[] }>(
    `select p.proname as name, array_agg(r.rolname::text order by r.rolname) as callers
     from pg_proc p join pg_roles r on has_function_privilege(r.oid, p.oid, 'execute')
     where p.pronamespace = 'api'::regnamespace and r.rolname ~ '^latchkey_'
     group by p.proname`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(apiFunctions).sort());
  // The owner may, and the migrator, who may become the owner.
  for (const { callers } of rows)
    expect(callers).toEqual(["latchkey_migrator", "latchkey_owner", "latchkey_server"]);
});

test("what shares a connection is stable: PostgreSQL itself refuses it a write, and a lock that others would wait behind", async () => {
  const shared = Object.entries(apiFunctions).flatMap(([name, { pool }]) =>
    pool === "shared" || pool === "health" ? [name] : [],
  );
  const rows = await database.query<{ name: string }>(
    `select proname as name from pg_proc
     where pronamespace = 'api'::regnamespace and proname = any($1) and provolatile = 's'`,
    [shared],
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(shared.sort());
  expect(shared).not.toEqual([]);
});

test("whatever waits for a row names it, by an argument of its own", () => {
  for (const [name, { pool, row, args }] of Object.entries(apiFunctions)) {
    if (row !== undefined) expect(Object.keys(args)).toContain(row);
    // Called once, at start.
    if (name === "check_pepper") continue;
    // Stable functions wait for no row.
    if (Object.keys(args).length > 0 && pool !== "shared" && pool !== "health") expect(row).toBeDefined();
  }
});

test("every answer begins with its error", async () => {
  const rows = await database.query<{ name: string; first: string[] }>(
    `select distinct p.prorettype::regtype::text as name,
            (select array_agg(a.attname || ' ' || format_type(a.atttypid, null) order by a.attnum)
             from pg_attribute a where a.attrelid = t.typrelid and a.attnum = 1) as first
     from pg_proc p join pg_type t on t.oid = p.prorettype
     where p.pronamespace = 'api'::regnamespace and p.proname not in ('installed_migration', 'check_pepper', 'missing_rights')`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { name, first } of rows) expect([name, first]).toEqual([name, ["error api.error"]]);
});
