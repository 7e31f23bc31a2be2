import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { migratorConfig } from "../../config/config.ts";
import type { Log } from "../../runtime/log.ts";
import { openPool } from "../../runtime/database/pool.ts";
import { eventually } from "../../testing/eventually.ts";
import { createTestDatabase } from "../../testing/postgres/test_database.ts";
import { checkConnections } from "./connection_check.ts";

test("the start prints the number of connections, and a warning where PostgreSQL has fewer left", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { SERVER_DATABASE_URL, GRAPHQL_DATABASE_URL } = migratorConfig(database.env);
  const warnings: string[] = [];
  const infos: { taken: number }[] = [];
  const log = {
    warn: (line: string) => warnings.push(line),
    info: (fields: { taken: number }) => infos.push(fields),
  } as unknown as Log;
  const pool = openPool({ connectionString: SERVER_DATABASE_URL, max: 1, application_name: "startup checks" }, log);
  // Connections of another role: PostgreSQL shows little of them, and they must be counted all the same.
  const others = Array.from({ length: 20 }, () => new pg.Client({ connectionString: GRAPHQL_DATABASE_URL }));
  try {
    const query = pool.query.bind(pool);
    await checkConnections({ query, connections: 1, log });
    expect(infos).toMatchObject([{ connections: 1, allowed: 297 }]);
    expect(warnings).toEqual([]);
    await checkConnections({ query, connections: 298, log });
    expect(warnings).toEqual([
      expect.stringMatching(/^This process may open 298 .* of the 297 .*SERVER_POOL_SIZE.*docs\/operations\.md/),
    ]);
    await Promise.all(others.map((client) => client.connect()));
    // Other tests connect and disconnect meanwhile, so the two counts may differ for a moment.
    await eventually("as many are counted as a superuser sees", async () => {
      await checkConnections({ query, connections: 1, log });
      const [row] = await database.query<{ seen: number }>(
        "select count(*)::integer as seen from pg_stat_activity where backend_type = 'client backend'",
      );
      return (infos.at(-1)?.taken ?? 0) > (row?.seen ?? 0) - others.length / 2;
    });
  } finally {
    await Promise.all(others.map((client) => client.end()));
    await pool.end();
  }
});
