import "../../hasura/graphile_env.ts";
import { expect } from "vitest";
import { test as baseTest } from "../../../testing/graphql/graphql_pool.ts";
import { execute } from "postgraphile/grafast";
import { createDocumentCache } from "./document_cache.ts";
import { listLimits } from "../../request_limits.ts";
import { createPlanCaches } from "./plan_caches.ts";
import { prepareRequest } from "./prepare_request.ts";
import { createAudienceSchema, type AudienceSchema } from "../../hasura/preset.ts";

const test = baseTest.extend("audience", { scope: "file" }, ({ pool }) => createAudienceSchema(pool, "user"));

/** Executes the documents; returns how many plans each cache holds then. */
async function countPlans(audience: AudienceSchema, queries: string[]): Promise<{ small: number; large: number }> {
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
    const [cache] = Object.getOwnPropertySymbols(grafast ?? {}).map((key) => Reflect.get(grafast!, key) as unknown);
    return (cache as { length: number } | undefined)?.length ?? 0;
  };
  return { small: count(planCaches.small), large: count(planCaches.large) };
}

const smallDocument = (index: number) => `{ small${index}: user_session { id } }`;
const largeDocument = (index: number) =>
  `{ ${Array.from({ length: 20 }, (_, field) => `large${index}_${field}: user_session(limit: 1, offset: ${field}) { id }`).join(" ")} }`;

test("large plans do not evict small ones, and are limited", async ({ audience }) => {
  const queries = Array.from({ length: 30 }, (_, index) => [smallDocument(index), largeDocument(index)]).flat();
  expect(await countPlans(audience, queries)).toEqual({ small: 30, large: 3 });
});

test("small plans are limited, too", async ({ audience }) => {
  const queries = Array.from({ length: 220 }, (_, index) => smallDocument(index));
  expect(await countPlans(audience, queries)).toEqual({ small: 200, large: 0 });
});
