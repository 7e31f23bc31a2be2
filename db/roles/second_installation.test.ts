import { expect } from "vitest";
import { addHbaRule, configFor, query } from "../../testing/postgres/role_cluster.ts";
import { migrate } from "../migrate.ts";
import { test } from "./fixtures/role_fixtures.ts";

test("an installation with other passwords than those of the cluster's roles is refused, and the roles stay as they are", async ({
  cluster,
}) => {
  const [first, second] = [await cluster.newDatabase("one"), await cluster.newDatabase("two")];
  const config = configFor(first, "first");
  await migrate(config);
  await expect(migrate(configFor(second, "second"))).rejects.toMatchObject({
    name: "OperatorError",
    message: expect.stringMatching(
      /^The roles of this cluster belong to the installation in database .*one.*, and SERVER_DATABASE_URL has/,
    ) as string,
  });
  expect(await query(config.SERVER_DATABASE_URL, "select 1 as one"), "its processes still log in").toEqual([
    { one: 1 },
  ]);
  await cluster.superuserQuery("drop database two");
});

test("a second installation that is refused has changed nothing, although its migrator may change roles", async ({
  cluster,
}) => {
  await migrate(configFor(await cluster.newDatabase("one"), "first"));
  const second = await cluster.newDatabase("two", "second_migrator");
  await cluster.superuserQuery("grant connect on database two to public");
  await expect(migrate(configFor(second, "second"))).rejects.toMatchObject({ name: "OperatorError" });
  expect(
    await query(
      second,
      `select pg_has_role('second_migrator', 'latchkey_owner', 'member') as member,
              has_database_privilege('latchkey_owner', 'two', 'create') as owner_may_create,
              has_database_privilege('latchkey_owner', 'two', 'connect') as public_may_connect`,
    ),
  ).toEqual([{ member: false, owner_may_create: false, public_may_connect: true }]);
  await cluster.superuserQuery("drop database two");
});

test("a second installation is refused where pg_hba.conf refuses the login roles, and nothing has changed", async ({
  cluster,
}) => {
  await migrate(configFor(await cluster.newDatabase("one"), "first"));
  const second = await cluster.newDatabase("two", "second_migrator");
  const restore = await addHbaRule(cluster, "host two latchkey_server 127.0.0.1/32 reject");
  try {
    await expect(migrate(configFor(second, "first"))).rejects.toMatchObject({
      name: "OperatorError",
      message: expect.stringMatching(
        /^The roles of this cluster belong to .*one.*, and the role of SERVER_DATABASE_URL cannot log in \(.*pg_hba/,
      ) as string,
    });
    const member = "select pg_has_role('second_migrator', 'latchkey_owner', 'member') as member";
    expect(await query(second, member)).toEqual([{ member: false }]);
  } finally {
    await restore();
  }
  await cluster.superuserQuery("drop database two");
});
