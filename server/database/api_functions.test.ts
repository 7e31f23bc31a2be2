import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { apiCatalog } from "../../scripts/api_catalog.ts";
import { test } from "../../testing/fixtures.ts";
import { functions } from "./api_catalog.ts";
import { api } from "./api_functions.ts";

const file = join(import.meta.dirname, "api_catalog.ts");

test("the generated file is what the catalog says: else run npm run generate -- api", async ({ database }) => {
  expect(readFileSync(file, "utf8")).toBe(await apiCatalog((text) => database.query(text), file));
});

test("the table has every function of the catalog", () => {
  expect(Object.keys(api).sort()).toEqual(Object.keys(functions));
});

const onlyOfGraphql = "count_admin_failure";
/** GraphQL's own program calls these too. */
const alsoOfGraphql = ["authorize", "check_readiness"];

test("the server may call every one of them, GraphQL two and one of its own, and nobody else any", async ({
  database,
}) => {
  const rows = await database.query<{ name: string; callers: string[] }>(
    `select p.proname as name, array_agg(r.rolname::text order by r.rolname) as callers
     from pg_proc p join pg_roles r on has_function_privilege(r.oid, p.oid, 'execute')
     where p.pronamespace = 'api'::regnamespace and r.rolname ~ '^latchkey_'
     group by p.proname`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...Object.keys(api), onlyOfGraphql].sort());
  // The owner may, and the migrator, who may become the owner.
  for (const { name, callers } of rows)
    expect(callers, name).toEqual([
      ...([...alsoOfGraphql, onlyOfGraphql].includes(name) ? ["latchkey_graphql"] : []),
      "latchkey_migrator",
      "latchkey_owner",
      ...(name === onlyOfGraphql ? [] : ["latchkey_server"]),
    ]);
});

test("functions that share a connection are stable: PostgreSQL refuses them a write, and a lock that would delay the others", async ({
  database,
}) => {
  const shared = Object.entries(api).flatMap(([name, { pool }]) =>
    pool === "pipeline" || pool === "health" ? [name] : [],
  );
  const rows = await database.query<{ name: string }>(
    `select proname as name from pg_proc
     where pronamespace = 'api'::regnamespace and proname = any($1) and provolatile = 's'`,
    [shared],
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(shared.sort());
  expect(shared).not.toEqual([]);
});

test("a function that checks a password runs at most once: bcrypt costs more than waiting for the row", () => {
  const atMostOnce = Object.entries(api).flatMap(([name, { retry }]) => (retry === "never" ? [name] : []));
  const withPassword = Object.entries(api).flatMap(([name, { args }]) =>
    Object.keys(args).some((argument) => argument.endsWith("password_prehash")) ? [name] : [],
  );
  expect(withPassword).toHaveLength(9);
  expect(atMostOnce).toEqual(expect.arrayContaining(withPassword));
});

const calls = Object.entries(api).flatMap(([name, { args }]) => {
  const field = ["phone", "new_phone", "identifier"].find((argument) => argument in args);
  return field === undefined ? [] : [{ name, args: Object.entries<string>(args), field }];
});

test("the functions that take a phone are found", () => {
  expect(calls.length).toBeGreaterThan(7);
});

test.for(calls)("$name refuses what is no E.164, and stores nothing", async ({ name, args, field }, { database }) => {
  const values: Record<string, unknown> = {
    text: "x",
    integer: 20,
    boolean: false,
    bytea: Buffer.alloc(32),
    "text[]": [],
    uuid: "00000000-0000-4000-8000-000000000000",
    identifier_type: "PHONE",
    otp: "123456",
    client: "192.0.2.77",
    // In place of a phone.
    email: name === "register" ? "x" : null,
  };
  for (const phone of ["+5501511987654321", "+12345", "12125550123", "x".repeat(3_000), "", null]) {
    const all = args.map(([argument, type]) =>
      argument === field ? phone : argument in values ? values[argument] : (values[type] ?? null),
    );
    const parameters = args.map(([, type], index) => `$${index + 1}::${type.replace("?", "")}`);
    const [answer] = await database.query(`select (error).code from api.${name}(${parameters.join()})`, all);
    expect([phone, answer]).toEqual([phone, { code: "INVALID_IDENTIFIER" }]);
  }
  expect(await database.query("select key from platform.rate_limit where key like '%192.0.2.77'")).toEqual([]);
});
