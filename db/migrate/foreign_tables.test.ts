import { expect } from "vitest";
import { isolatedTest as test } from "../fixtures/database_fixtures.ts";
import { applicationSchema } from "../../testing/graphql/application_schema.ts";
import { migrate } from "../migrate.ts";

test("tables and views that somebody added to our schemas stop the migration, by their names", async ({
  database,
  config,
}) => {
  await database.query(`create table "user".address (id integer); create view settings.mine as select 1 as one;
    create table platform.event_log (id integer) partition by list (id)`);
  await expect(migrate(config)).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(
      /^Latchkey's schemas hold tables that it did not create: platform\.event_log, settings\.mine, user\.address\. .*GRAPHQL_SCHEMAS/,
    ) as string,
  });
  await database.query(
    `drop table platform.event_log; drop view settings.mine; alter table "user".address set schema public`,
  );
  await migrate(config);
});

test("a migration leaves the application's own tables and their grants as they are", async ({ database, config }) => {
  await database.query(applicationSchema);
  const said: string[] = [];
  await migrate(config, (line) => said.push(line));
  expect(said).toEqual([]);
  const [row] = await database.query("select has_table_privilege('latchkey_user', 'public.note', 'insert') as granted");
  expect(row).toEqual({ granted: true });
});
