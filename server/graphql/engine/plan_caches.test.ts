import "../hasura/graphile_env.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type pg from "pg";
import { execute } from "postgraphile/grafast";
import { serverConfig } from "../../../config/config.ts";
import { createLog } from "../../../runtime/log.ts";
import { openPool } from "../../../runtime/pool.ts";
import { createTestDatabase, type TestDatabase } from "../../../testing/test_database.ts";
import { makeDocuments } from "./documents.ts";
import { listBounds } from "./limits.ts";
import { createPlanCaches } from "./plan_caches.ts";
import { prepareRequest } from "./prepare_request.ts";
import { makeAudienceSchema, type AudienceSchema } from "../hasura/preset.ts";

let database: TestDatabase;
let pool: pg.Pool;
let audience: AudienceSchema;
beforeAll(async () => {
  database = await createTestDatabase();
  const { GRAPHQL_DATABASE_URL } = serverConfig(database.env);
  const log = createLog("test", "silent");
  pool = openPool({ connectionString: GRAPHQL_DATABASE_URL, application_name: "plan caches test" }, log);
  audience = await makeAudienceSchema(pool, "user");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** How many plans the caches hold after these documents. */
async function plansAfter(queries: string[]): Promise<{ small: number; large: number }> {
  const plans = createPlanCaches(audience.schema);
  const documents = makeDocuments(audience.schema, { introspection: false });
  for (const query of queries) {
    const request = { query, variables: {}, operationName: undefined };
    const engine = { audience, documents, lists: listBounds.user, plans };
    const { executable } = prepareRequest(engine, request);
    const withPgClient = () => Promise.resolve({ rows: [] });
    await execute({ ...executable(), contextValue: { pgSettings: {}, withPgClient } });
  }
  const count = ({ extensions: { grafast } }: AudienceSchema["schema"]) => {
    const [cache] = Object.getOwnPropertySymbols(grafast ?? {}).map(
      (key) => Reflect.get(grafast!, key) as unknown,
    );
    return (cache as { length: number } | undefined)?.length ?? 0;
  };
  return { small: count(plans.small), large: count(plans.large) };
}

const small = (index: number) => `{ small${index}: user_session { id } }`;
const large = (index: number) =>
  `{ ${Array.from({ length: 20 }, (_, field) => `large${index}_${field}: user_session(limit: 1, offset: ${field}) { id }`).join(" ")} }`;

test("large documents do not push the plans of small ones out, and are few", async () => {
  const queries = Array.from({ length: 30 }, (_, index) => [small(index), large(index)]).flat();
  expect(await plansAfter(queries)).toEqual({ small: 30, large: 10 });
});

test("plans of small documents are bounded, too", async () => {
  const queries = Array.from({ length: 220 }, (_, index) => small(index));
  expect(await plansAfter(queries)).toEqual({ small: 200, large: 0 });
});
