import { expect } from "vitest";
import { test } from "../../testing/graphql/graphql_fixtures.ts";

test("requests that may be slow do not use the shared connection: the admin's, new documents, costly ones", async ({
  database,
  admin,
  guest,
}) => {
  const sharedConnections = () =>
    database.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'latchkey graphql shared'",
    );
  const query = "{ user_session { id } }";
  for (let time = 0; time < 2; time++) await admin(query);
  expect(await sharedConnections()).toHaveLength(0);

  await guest(query);
  expect(await sharedConnections(), "a new document").toHaveLength(0);
  const costly = `{ user_session(where: {_and: [${"{user: {id: {_is_null: true}}}, ".repeat(3)}]}) { id } }`;
  for (let time = 0; time < 2; time++) await guest(costly);
  expect(await sharedConnections(), "a costly document").toHaveLength(0);
  await guest(query);
  expect(await sharedConnections()).toHaveLength(1);
});
