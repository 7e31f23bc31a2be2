import { expect } from "vitest";
import { test } from "../../testing/fixtures.ts";
import { z } from "zod";
import { catalog } from "../../http/problem.ts";
import { api } from "./api_functions.ts";

interface Argument {
  function: string;
  argument: string | null;
  type: string | null;
}

const onlyOfGraphql = "count_admin_failure";
/** GraphQL's own program calls these too. */
const alsoOfGraphql = ["authorize", "check_readiness"];

test("the table has the server's functions of schema api, with their arguments in their order, and no other", async ({
  database,
}) => {
  const rows = await database.query<Argument>(
    `select p.proname as function, a.name as argument, format_type(a.type, null) as type
     from pg_proc p
     left join lateral unnest(p.proargnames, p.proargtypes::oid[]) with ordinality a (name, type, position) on true
     where p.pronamespace = 'api'::regnamespace and p.proname <> $1 order by p.proname, a.position`,
    [onlyOfGraphql],
  );
  const catalog = rows.map((row) => [row.function, row.argument, row.type]);
  const table = Object.entries(api).flatMap(([name, { args }]) => {
    const list = Object.entries(args).map(([argument, type]) => [argument, type.replace(/ \| null|\?/, "")] as const);
    return list.length > 0 ? list.map(([argument, type]) => [name, argument, type]) : [[name, null, null]];
  });
  const inOrder = table.toSorted(([one], [other]) => (one! < other! ? -1 : one! > other! ? 1 : 0));
  expect(catalog).toEqual(inOrder);
});

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
  expect(withPassword).toHaveLength(6);
  expect(atMostOnce).toEqual(expect.arrayContaining(withPassword));
});

test("a function returns the type that the table says, with these attributes and the error before them", async ({
  database,
}) => {
  const rows = await database.query<{ name: string; type: string; attributes: string[] }>(
    `select p.proname as name, p.prorettype::regtype::text as type,
            (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
             where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) as attributes
     from pg_proc p join pg_type t on t.oid = p.prorettype
     where p.pronamespace = 'api'::regnamespace and p.proname <> $1 order by 1`,
    [onlyOfGraphql],
  );
  const table = Object.entries(api).map(([name, { returns }]) => ({
    name,
    type: returns.name,
    attributes: ["error", ...Object.keys(z.toJSONSchema(returns.data).properties ?? {})],
  }));
  expect(rows).toEqual(table.sort((one, other) => (one.name < other.name ? -1 : 1)));
});

test("the errors and reasons that the table declares are those that the function's comment names", async ({
  database,
}) => {
  const rows = await database.query<{ name: string; comment: string }>(
    `select p.pronamespace::regnamespace || '.' || p.proname as name, obj_description(p.oid, 'pg_proc') as comment
     from pg_proc p where p.pronamespace in ('api'::regnamespace, 'private'::regnamespace)`,
  );
  const comments = new Map(rows.map(({ name, comment }) => [name, comment]));
  /** What follows "Errors:", and the same of the functions that it refers to ("those of private.check_otp"). */
  const errorsOf = (name: string): string => {
    const [, text] = /Errors(?:, in this order)?: ([\s\S]*)/.exec(comments.get(name) ?? "") ?? [];
    if (text === undefined) throw new Error(`the comment of ${name} names no errors`);
    const references = text
      .split(";")
      .filter((clause) => clause.includes("those of"))
      .flatMap((clause) => clause.match(/\bprivate\.\w+/g) ?? []);
    return [text, ...references.map(errorsOf)].join("\n");
  };
  const namedIn = (text: string, names: Iterable<string>) =>
    [...names].filter((name) => new RegExp(`\\b${name}\\b`).test(text)).sort();
  const reasonsOfTable = new Set(Object.values(api).flatMap(({ reasons }) => reasons));
  for (const [name, { errors, reasons }] of Object.entries(api)) {
    const text = errorsOf(`api.${name}`);
    const named = { errors: namedIn(text, Object.keys(catalog)), reasons: namedIn(text, reasonsOfTable) };
    expect([name, named]).toEqual([name, { errors: [...errors].sort(), reasons: [...reasons].sort() }]);
    if (errors.length === 0) expect([name, text]).toEqual([name, "none."]);
  }
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
  };
  for (const phone of ["+5501511987654321", "+12345", "12125550123", "x".repeat(3_000), "", null]) {
    const all = args.map(([argument, type]) =>
      argument === field ? phone : (values[argument] ?? values[type] ?? null),
    );
    const parameters = args.map(([, type], index) => `$${index + 1}::${type.replace(/ \| null|\?/, "")}`);
    const [answer] = await database.query(`select (error).code from api.${name}(${parameters.join()})`, all);
    expect([phone, answer]).toEqual([phone, { code: "INVALID_IDENTIFIER" }]);
  }
  expect(await database.query("select key from platform.rate_limit where key like '%192.0.2.77'")).toEqual([]);
});
