import { expect } from "vitest";
import { test as baseTest } from "../fixtures/database_fixtures.ts";
import { copySql } from "../../testing/postgres/sql_copy.ts";
import { migrate } from "../migrate.ts";
import { findSql } from "../sql_files.ts";

/** Returns policies and rights of a table, as lines. */
const test = baseTest.extend("rulesOf", ({ database }) => async (table: string): Promise<string[]> => {
  const rows = await database.query<{ rule: string }>(
    `select 'policy ' || p.polname as rule from pg_policy p where p.polrelid = $1::regclass
     union all
     select a.grantee::regrole || ' ' || a.privilege_type from pg_class c, aclexplode(c.relacl) a
     where c.oid = $1::regclass and a.grantee <> c.relowner
     union all
     select a.grantee::regrole || ' ' || a.privilege_type || ' ' || t.attname from pg_attribute t, aclexplode(t.attacl) a
     where t.attrelid = $1::regclass
     order by 1`,
    [table],
  );
  return rows.map(({ rule }) => rule);
});

test("a table or view that GraphQL's roles may touch has a policy file, and every policy file has such a table or view", async ({
  database,
}) => {
  const rows = await database.query<{ path: string }>(
    `select distinct 'policies/' || n.nspname || '/' || c.relname || '.sql' as path
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('user', 'platform', 'settings', 'private', 'fraud', 'migration') and c.relkind in ('r', 'p', 'v')
       and (exists (select from pg_policy p where p.polrelid = c.oid)
         or exists (select from aclexplode(c.relacl) a where a.grantee = any (array['latchkey_guest', 'latchkey_user', 'latchkey_admin']::regrole[]::oid[])))
     order by 1`,
  );
  expect(rows.map(({ path }) => path)).toEqual(findSql("policies/*/*.sql"));
});

test("a policy and a grant that are deleted from their file are gone, and come back with it", async ({
  config,
  rulesOf,
}) => {
  const before = await rulesOf("platform.rate_limit");
  const changed = copySql();
  const file = "policies/platform/rate_limit.sql";
  changed.edit(file, "grant select, delete on", "grant select on");
  changed.edit(
    file,
    'create policy "the admin deletes any rate limit" on platform.rate_limit for delete to latchkey_admin using (true);',
    "",
  );
  const said: string[] = [];
  await migrate(config, (line) => said.push(line), changed.directory);
  expect(said).toEqual(["migrated: policies"]);
  expect(await rulesOf("platform.rate_limit")).toEqual([
    "latchkey_admin SELECT",
    "policy the admin sees every rate limit",
  ]);
  await migrate(config);
  expect(await rulesOf("platform.rate_limit")).toEqual(before);
});

test("the policies and grants that a file no longer has are gone, and those of other tables stay", async ({
  config,
  rulesOf,
}) => {
  const [account, configuration] = [await rulesOf('"user".account'), await rulesOf("settings.configuration")];
  const changed = copySql();
  changed.write("policies/user/account.sql", "-- none");
  await migrate(config, undefined, changed.directory);
  expect(await rulesOf('"user".account')).toEqual([]);
  expect(await rulesOf("settings.configuration")).toEqual(configuration);
  await migrate(config);
  expect(await rulesOf('"user".account')).toEqual(account);
});

test("what an operator grants to a role of its own stays", async ({ database, config, rulesOf }) => {
  const role = `reports_${database.name}`;
  await database.query(
    `create role ${role}; grant select (id) on "user".account to ${role};
     create policy "reports" on "user".account for select to ${role} using (true)`,
  );
  const before = await rulesOf('"user".account');
  const changed = copySql();
  changed.edit("policies/platform/rate_limit.sql", "enable row", "enable  row");
  await migrate(config, undefined, changed.directory);
  expect(await rulesOf('"user".account')).toEqual(before);
  expect(before).toContain("policy reports");
  await database.query(
    `drop policy "reports" on "user".account; drop owned by ${role}; drop role ${role}; select private.remember_catalog()`,
  );
});

test("a policy file that fails is named and leaves everything as it was", async ({ config, rulesOf }) => {
  const before = await rulesOf("platform.rate_limit");
  const broken = copySql();
  broken.edit("policies/settings/configuration.sql", "create policy", "create polity");
  await expect(migrate(config, undefined, broken.directory)).rejects.toThrow(
    /^db\/policies\/settings\/configuration\.sql: syntax error/,
  );
  expect(await rulesOf("platform.rate_limit")).toEqual(before);
});
