import { expect } from "vitest";
import { graphqlConfig } from "../../config/config.ts";
import { createEngines } from "./engines.ts";
import { test } from "./execution/fixtures/reads_fixtures.ts";

test("no transaction that reads the catalog is open while the other audience's schema is created", async ({
  database,
  pool,
  shared,
}) => {
  let [taken, most] = [0, 0];
  pool.on("acquire", () => (most = Math.max(most, ++taken)));
  pool.on("release", () => taken--);
  const config = graphqlConfig(database.env);
  await createEngines({
    config,
    application: { schemas: [], live: new Map() },
    pools: { guests: pool, users: pool, admin: pool },
    introspectionPool: pool,
    shared,
    prepareStatements: true,
  });
  expect(pool.options.max).toBe(2);
  expect(most).toBe(1);
});
