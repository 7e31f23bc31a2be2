import { expect } from "vitest";
import { test as baseTest } from "../testing/graphql/graphql_pool.ts";
import { applicationSchema } from "../testing/graphql/application_schema.ts";
import { checkApplicationSchemas } from "./application_schemas.ts";

const test = baseTest
  .extend("tables", { scope: "file", auto: true }, ({ database }) => database.query(applicationSchema))
  /** Runs statements, then the check, and takes the statements back. Returns its refusal. */
  .extend(
    "refusal",
    ({ database, pool }) =>
      async (make: string, takeBack: string, schemas = ["public", "shop"], allowed: string[] = []) => {
        if (make) await database.query(make);
        try {
          await checkApplicationSchemas({
            query: pool.query.bind(pool),
            config: { GRAPHQL_SCHEMAS: schemas, GRAPHQL_ALLOW_WITHOUT_RLS: allowed },
          });
          return "none";
        } catch (error) {
          expect(error).toMatchObject({ name: "OperatorError" });
          return (error as Error).message;
        } finally {
          if (takeBack) await database.query(takeBack);
        }
      },
  );

const partitions = `create table shop.log (id integer) partition by list (id); create table shop.log_1 partition of shop.log for values in (1);
  alter table shop.log enable row level security`;

test.for<[what: string, make: string, takeBack: string, named: string]>([
  ["a table", "create table shop.open (id integer)", "drop table shop.open", "table shop.open"],
  ["one that nobody may read yet", "create table shop.other ()", "drop table shop.other", "table shop.other"],
  [
    "a partitioned table",
    "create table shop.log (id integer) partition by list (id)",
    "drop table shop.log",
    "table shop.log",
  ],
  ["a partition", partitions, "drop table shop.log", "table shop.log_1"],
  [
    "a table that inherits",
    "create table shop.child () inherits (shop.product)",
    "drop table shop.child",
    "table shop.child",
  ],
  [
    "a materialized view",
    "create materialized view shop.kept as select 1 as one",
    "drop materialized view shop.kept",
    "materialized view shop.kept",
  ],
  [
    "a view with its owner's rights",
    "create view shop.all_notes as select * from public.note",
    "drop view shop.all_notes",
    "view shop.all_notes",
  ],
  [
    "a table elsewhere that a view reads",
    "create schema hidden; create table hidden.open (id integer); create view shop.seen with (security_invoker = on) as select * from hidden.open",
    "drop schema hidden cascade",
    "table hidden.open (which shop.seen reads)",
  ],
])("%s without row-level security is refused by its name", async ([_what, make, takeBack, named], { refusal }) => {
  expect(await refusal(make, takeBack)).toMatch(`Without row-level security: ${named}. `);
});

test("what GRAPHQL_ALLOW_WITHOUT_RLS lists is allowed, and nothing else", async ({ refusal }) => {
  const [make, takeBack] = [
    "create table shop.open (id integer); create table shop.other ()",
    "drop table shop.open, shop.other",
  ];
  expect(await refusal(make, takeBack, undefined, ["shop.open", "shop.other"])).toBe("none");
  expect(await refusal(make, takeBack, undefined, ["shop.open"])).toMatch(
    /^Without row-level security: table shop\.other\. /,
  );
  expect(await refusal("", "", undefined, ["shop.none"])).toMatch(/^GRAPHQL_ALLOW_WITHOUT_RLS names shop\.none, /);
  expect(await refusal("", "", [], ["shop.product"])).toMatch(/^GRAPHQL_ALLOW_WITHOUT_RLS names shop\.product, /);
});

test.for<[name: string, message: RegExp]>([
  ["none", /^GRAPHQL_SCHEMAS names none, which this database does not have/],
  ...["user", "private", "latchkey", "hook", "graphile_worker", "pg_catalog", "information_schema"].map(
    (name): [string, RegExp] => [
      name,
      new RegExp(`^GRAPHQL_SCHEMAS names ${name}: it is for schemas of your application`),
    ],
  ),
])("the schema %s is refused", async ([name, message], { refusal }) => {
  expect(await refusal("", "", [name])).toMatch(message);
});

const readable = (table: string) =>
  `create table ${table} (id integer); alter table ${table} enable row level security`;

test.for<[what: string, make: string, takeBack: string, message: string]>([
  [
    "one of our tables",
    readable("public.user_session"),
    "drop table public.user_session",
    "public.user_session and user.session would both be user_session",
  ],
  [
    "a field of one of our tables",
    readable("public.user_session_by_pk"),
    "drop table public.user_session_by_pk",
    "public.user_session_by_pk and user.session would both be user_session_by_pk",
  ],
  [
    "a table of another schema",
    readable("public.shop_product"),
    "drop table public.shop_product",
    "shop.product and public.shop_product would both be shop_product",
  ],
  [
    "a function",
    "create function shop.product() returns setof shop.product stable language sql as 'select * from shop.product'; grant execute on function shop.product to latchkey_user",
    "drop function shop.product",
    "would both be shop_product",
  ],
  [
    "one of our actions",
    "create function public.revoke_session(id integer) returns setof shop.product language sql as 'select * from shop.product'; grant execute on function public.revoke_session to latchkey_user",
    "drop function public.revoke_session",
    "public.revoke_session and user.revoke_session would both be revoke_session",
  ],
  [
    "one of our actions by its comment",
    `create function shop.end_session(id integer) returns setof shop.product language sql as 'select * from shop.product';
     comment on function shop.end_session is '@name revoke_session'; grant execute on function shop.end_session to latchkey_user`,
    "drop function shop.end_session",
    "shop.end_session and user.revoke_session would both be revoke_session",
  ],
  [
    "a table by its comment",
    `${readable("public.thing")}; comment on table public.thing is E'@name note\\nThings'`,
    "drop table public.thing",
    "public.thing and public.note would both be note",
  ],
])("a name that is that of %s is refused", async ([_what, make, takeBack, message], { refusal }) => {
  expect(await refusal(make, takeBack)).toContain(message);
});

test("a comment that renames a table gives it another name", async ({ refusal }) => {
  const make = `${readable("public.user_session")}; comment on table public.user_session is '@name visit'`;
  expect(await refusal(make, "drop table public.user_session")).toBe("none");
});

test("tables are granted to a role that may not use their schema: the statement that repairs it", async ({
  refusal,
}) => {
  expect(
    await refusal("revoke usage on schema shop from latchkey_guest", "grant usage on schema shop to latchkey_guest"),
  ).toMatch(/ Run: grant usage on schema "shop" to latchkey_guest;$/);
});

test("without the setting nothing is asked", async ({ refusal }) => {
  expect(await refusal("create table shop.open (id integer)", "drop table shop.open", [])).toBe("none");
});
