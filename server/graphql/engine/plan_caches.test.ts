import "../hasura/graphile_env.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type pg from "pg";
import { execute } from "postgraphile/grafast";
import { serverConfig } from "../../../config/config.ts";
import { createLog } from "../../../runtime/log.ts";
import { openPool } from "../../../runtime/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../../testing/test_database.ts";
import { createDocumentCache } from "./document_cache.ts";
import { listLimits } from "./limits.ts";
import { createPlanCaches } from "./plan_caches.ts";
import { prepareRequest } from "./prepare_request.ts";
import { createAudienceSchema, type AudienceSchema } from "../hasura/preset.ts";

let database: TestDatabase;
let pool: pg.Pool;
let audience: AudienceSchema;
beforeAll(async () => {
  database = await createTestDatabase();
  const { GRAPHQL_DATABASE_URL } = serverConfig(database.env);
  const log = createLog("test", "silent");
  pool = openPool({ connectionString: GRAPHQL_DATABASE_URL, application_name: "plan caches test" }, log);
  audience = await createAudienceSchema(pool, "user");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Executes the documents; returns how many plans each cache holds then. */
async function countPlans(queries: string[]): Promise<{ small: number; large: number }> {
  const planCaches = createPlanCaches(audience.schema);
  const documents = createDocumentCache(audience.schema, { introspection: false });
  for (const query of queries) {
    const request = { query, variables: {}, operationName: undefined };
    const engine = { audience, documents, listLimits: listLimits.user, planCaches };
    const { toExecutionArgs } = prepareRequest(engine, request);
    const withPgClient = () => Promise.resolve({ rows: [] });
    await execute({ ...toExecutionArgs(), contextValue: { pgSettings: {}, withPgClient } });
  }
  const count = ({ extensions: { grafast } }: AudienceSchema["schema"]) => {
    const [cache] = Object.getOwnPropertySymbols(grafast ?? {}).map(
      (key) => Reflect.get(grafast!, key) as unknown,
    );
    return (cache as { length: number } | undefined)?.length ?? 0;
  };
  return { small: count(planCaches.small), large: count(planCaches.large) };
}

const smallDocument = (index: number) => `{ small${index}: user_session { id } }`;
const largeDocument = (index: number) =>
  `{ ${Array.from({ length: 20 }, (_, field) => `large${index}_${field}: user_session(limit: 1, offset: ${field}) { id }`).join(" ")} }`;

test("large plans do not evict small ones, and are limited", async () => {
  const queries = Array.from({ length: 30 }, (_, index) => [
    smallDocument(index),
    largeDocument(index),
  ]).flat();
  expect(await countPlans(queries)).toEqual({ small: 30, large: 3 });
});

test("small plans are limited, too", async () => {
  const queries = Array.from({ length: 220 }, (_, index) => smallDocument(index));
  expect(await countPlans(queries)).toEqual({ small: 200, large: 0 });
});
