import { expect } from "vitest";
import { isolatedTest as test } from "../fixtures/database_fixtures.ts";
import { fingerprint } from "../../testing/postgres/fingerprint.ts";
import type { TestDatabase } from "../../testing/postgres/test_database.ts";
import { copySql } from "../../testing/postgres/sql_copy.ts";
import { migrate } from "../migrate.ts";

const refusal = (message: RegExp) => ({
  name: "OperatorError",
  message: expect.stringMatching(message) as string,
});

const catalogOf = ({ query }: TestDatabase) =>
  query("select line, fingerprint from private.catalog_in_force() order by 1");

test("a database that was restored before its roles were made is refused: its tables belong to another role", async ({
  database,
  config,
}) => {
  await database.query("alter table migration.fingerprint owner to current_user");
  await expect(migrate(config)).rejects.toMatchObject(
    refusal(/^Latchkey's tables belong to \w+ and not to latchkey_owner\. .*restore again into an empty database/),
  );
});

const account = '"user".account';

const losses: [what: string, change: string, line: string][] = [
  [
    "a revoked right",
    `revoke select (phone) on ${account} from latchkey_user`,
    `${account} (phone): latchkey_user may select`,
  ],
  ["a revoked right to a function", "revoke all on all functions in schema api from latchkey_server", "api.authorize("],
  [
    "a revoked right to a schema",
    "revoke usage on schema api from latchkey_server",
    "schema api: latchkey_server may usage",
  ],
  [
    "a right of the queue",
    "revoke update on graphile_worker._private_jobs from latchkey_worker",
    "graphile_worker._private_jobs: latchkey_worker may update",
  ],
  [
    "a dropped policy",
    `drop policy "a user sees its own account" on ${account}`,
    `${account}: policy "a user sees its own account" for latchkey_user`,
  ],
  [
    "a policy that lets everybody see everything",
    `alter policy "a user sees its own account" on ${account} using (true)`,
    `${account}: policy "a user sees its own account" for latchkey_user`,
  ],
  [
    "row-level security that is off",
    "alter table platform.rate_limit disable row level security",
    "platform.rate_limit has row-level security",
  ],
  ["a dropped trigger", 'drop trigger complete_session on "user".session', '"user".session: trigger complete_session'],
  ["a disabled trigger", 'alter table "user".session disable trigger user', '"user".session: its triggers are enabled'],
  ["a dropped index", 'drop index "user".session_user_id', 'index "user".session_user_id on "user".session'],
  [
    "an index on something else",
    'drop index "user".session_user_id; create index session_user_id on "user".session (id)',
    'index "user".session_user_id on "user".session',
  ],
  [
    "an invalid index",
    `update pg_index set indisvalid = false where indexrelid = '"user".session_user_id'::regclass`,
    'index "user".session_user_id on "user".session',
  ],
  [
    "a dropped constraint",
    "alter table private.installation drop constraint installation_is_one",
    "private.installation: constraint installation_is_one",
  ],
  [
    "keys that others refer to",
    `alter table ${account} drop constraint account_pkey cascade`,
    `${account}: constraint account_pkey`,
  ],
  [
    "a lost default",
    `alter table ${account} alter column created_at drop default`,
    `${account}: column created_at has a default`,
  ],
  [
    "a column that may be null",
    `alter table ${account} alter column created_at drop not null`,
    `${account}: column created_at is not null`,
  ],
  [
    "a view without its caller's rights",
    "alter view platform.delivery_by_hour reset (security_invoker)",
    "view platform.delivery_by_hour",
  ],
  ["a dropped view", "drop view platform.delivery_by_hour", "view platform.delivery_by_hour"],
  [
    "a changed function",
    "create or replace function private.registration_lifetime() returns interval language sql immutable as 'select interval ''1 year'''",
    "function private.registration_lifetime()",
  ],
  [
    "a dropped function with all that needs it",
    "drop function private.caller_error cascade",
    "function private.caller_error(",
  ],
  [
    "functions for everybody",
    "alter default privileges for role latchkey_owner grant execute on functions to public",
    "new functions are not for public",
  ],
];

/** Losses of different things happen to one database at once; those of the same thing to one after another. */
const batches: (typeof losses)[] = [];
for (const loss of losses) {
  const batch = batches.find((others) => others.every(([, , line]) => line !== loss[2]));
  if (batch) batch.push(loss);
  else batches.push([loss]);
}

test.for(batches.map((batch) => ({ what: batch.map(([what]) => what).join("; "), batch })))(
  "these are repaired, and each is named: $what",
  async ({ batch }, { database, config }) => {
    const before = await catalogOf(database);
    for (const [what, change] of batch) {
      const intact = await catalogOf(database);
      await database.query(change);
      expect(await catalogOf(database), what).not.toEqual(intact);
    }
    const said: string[] = [];
    await migrate(config, (sentence) => said.push(sentence));
    for (const [, , line] of batch) expect(said).toContainEqual(expect.stringContaining(`repaired: ${line}`));
    expect(await catalogOf(database)).toEqual(before);
    said.length = 0;
    await migrate(config, (sentence) => said.push(sentence));
    expect(said).toEqual([]);
  },
);

test.for<[change: string, message: RegExp]>([
  [
    `alter table ${account} drop column email cascade`,
    /^What the last migration made is missing or changed, and cannot be repaired: "user"\.account: column email text.*restore the backup/,
  ],
  [
    'alter table "user".session disable trigger all',
    /: "user"\.session: its foreign keys are enforced \(.*; as superuser: alter table "user"\.session enable trigger all\)\./,
  ],
  [
    "alter table private.installation drop constraint installation_is_one; insert into private.installation (is_one) values (false)",
    /installation_is_one" .* is violated by some row; as superuser: alter table private\.installation drop constraint/,
  ],
  ["alter table platform.rate_limit owner to current_user", /restore again into an empty database/],
])(
  "%s cannot be repaired: the message names the statement, and nothing is written",
  async ([change, message], { database, config }) => {
    await database.query(change);
    const before = await fingerprint(database);
    await expect(migrate(config)).rejects.toMatchObject(refusal(message));
    expect(await fingerprint(database)).toEqual(before);
  },
);

test("a loss is repaired before a new migration needs what was lost", async ({ database, config }) => {
  await database.query('alter table "user".account drop constraint account_pkey cascade');
  const newer = copySql();
  newer.write("migrations/9001_extra.sql", 'create table settings.extra (id uuid references "user".account);');
  newer.write("policies/settings/extra.sql", "alter table settings.extra enable row level security;");
  await migrate(config, undefined, newer.directory);
  const [found] = await database.query("select to_regclass('settings.extra') is not null as there");
  expect(found).toEqual({ there: true });
});

test("a right that was revoked on purpose and deleted from the list stays revoked", async ({ database, config }) => {
  const rights = `select from information_schema.column_privileges where grantee = 'latchkey_user' and column_name = 'phone'`;
  await database.query('revoke select (phone) on "user".account from latchkey_user');
  await database.query("delete from private.catalog_line where line like '%(phone): latchkey_user may select'");
  await migrate(config);
  expect(await database.query(rights)).toEqual([]);
});

test("rights and policies of ours that nobody of ours gave are taken away where files say who has which, and named elsewhere", async ({
  database,
  config,
}) => {
  await database.query(
    `grant select on "user".account to public;
     create policy "everything" on "user".account for select to latchkey_user using (true);
     grant usage on schema private to latchkey_server`,
  );
  for (let time = 0; time < 2; time++) {
    const said: string[] = [];
    await migrate(config, (line) => said.push(line));
    expect(said.filter((line) => line.startsWith("warning"))).toContain(
      "warning: no migration made this: schema private: latchkey_server may usage. To take it away: revoke usage on schema private from latchkey_server;",
    );
  }
  expect(
    await database.query(
      `select from pg_policy where polname = 'everything'
       union all select from pg_class c, aclexplode(c.relacl) a where c.oid = '"user".account'::regclass and a.grantee = 0`,
    ),
  ).toEqual([]);
});

test("an operator's own index, trigger and table come and go", async ({ database, config }) => {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  await database.query(
    `create table private.of_the_operator (id integer); create index of_the_operator on "user".account (email)`,
  );
  const newer = copySql();
  newer.edit("functions/private/otp/make_code.sql", "create or replace", "create  or replace");
  await migrate(config, say, newer.directory);
  expect(said).toEqual(["migrated: functions"]);
  await database.query(`drop table private.of_the_operator; drop index "user".of_the_operator`);
  await migrate(config, say, newer.directory);
  expect(said).toEqual(["migrated: functions"]);
});
