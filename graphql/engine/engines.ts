import type pg from "pg";
import type { GraphqlConfig } from "../../config/config.ts";
import { isUnavailable } from "../../runtime/database/errors.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import type { PipelinedConnection } from "../../runtime/database/pipeline.ts";
import { createBudget } from "./admission/budget.ts";
import { createClassPool } from "./admission/class_pool.ts";
import { createDocumentCache } from "./documents/document_cache.ts";
import type { DatabaseAccess, Engine } from "./engine.ts";
import * as limits from "../request_limits.ts";
import { createPlanCaches } from "./documents/plan_caches.ts";
import { createAudienceSchema, type Application, type AudienceSchema } from "../hasura/preset.ts";
import type { Audience, CallerClass } from "../authorization/caller.ts";
import { createPooledRead } from "./execution/reads.ts";
import { createSharedRead } from "./execution/shared_reads.ts";

interface Options {
  config: GraphqlConfig;
  application: Application;
  /** One for each class of callers. */
  pools: Record<CallerClass, pg.Pool>;
  /** For reading the catalog, on one connection at a time; not used after createEngines. */
  introspectionPool: pg.Pool;
  shared: PipelinedConnection;
  /** Whether to prepare statements by name: only if each connection keeps its backend. */
  prepareStatements: boolean;
  createSchema?: CreateSchema | undefined;
}

/** Creates the schema of an audience from what its role may see of the database. */
export type CreateSchema = (pool: pg.Pool, audience: Audience, application: Application) => Promise<AudienceSchema>;

/** Creates the engine of each audience. */
export async function createEngines(options: Options): Promise<Record<Audience, Engine>> {
  const { config } = options;
  const { GRAPHQL_INTROSPECTION: introspection, GRAPHQL_STATEMENT_TIMEOUT_MS: requestMs } = config;
  const databases: Record<CallerClass, DatabaseAccess> = {
    guests: accessOf(options, "guests"),
    users: accessOf(options, "users"),
    admin: accessOf(options, "admin"),
  };
  const common = {
    budget: createBudget({ msPerSecond: config.GRAPHQL_BUDGET_MS }),
    databaseOf: (callerClass: CallerClass) => databases[callerClass],
  };
  // One after the other: creating a schema blocks the event loop, for more than ten seconds on a slow machine, and
  // PostgreSQL would take the other one's transaction for abandoned and close its connection
  // (idle_in_transaction_session_timeout).
  const user = await createAudienceParts(options, "user", introspection);
  // The admin's programs are trusted and read whole tables: introspection is on, and nothing is shared or charged.
  const admin = await createAudienceParts(options, "admin", true);
  const statementMs = Math.min(requestMs, limits.userStatementMs);
  return {
    user: { ...common, ...user, timeouts: { requestMs, statementMs } },
    admin: { ...common, ...admin, timeouts: { requestMs, statementMs: requestMs } },
  };
}

function accessOf({ config, pools, shared, prepareStatements }: Options, callerClass: CallerClass) {
  const pool = createClassPool(
    pools[callerClass],
    callerClass === "admin"
      ? { perPrincipal: Infinity, waitingPerPrincipal: limits.waitingOfAdmin }
      : { perPrincipal: 1, waitingPerPrincipal: limits.waitingPerPrincipal },
  );
  const pooledRead = createPooledRead(pool, prepareStatements);
  const isShared = callerClass !== "admin" && !config.OPTIMIZATIONS_OFF.has("read_pipeline");
  const read = isShared ? createSharedRead(shared, pooledRead, prepareStatements) : pooledRead;
  return { pool, prepareStatements, pooledRead, read };
}

async function createAudienceParts(
  { application, introspectionPool, createSchema = createAudienceSchema }: Options,
  audience: Audience,
  introspection: boolean,
) {
  const audienceSchema = await createSchema(introspectionPool, audience, application).catch((error: unknown) => {
    throw application.schemas.length > 0 ? nameApplication(error) : error;
  });
  return {
    audience: audienceSchema,
    documents: createDocumentCache(audienceSchema.schema, { introspection }),
    planCaches: createPlanCaches(audienceSchema.schema),
    listLimits: limits.listLimits[audience],
  };
}

/** What is ambiguous or unusable without the application's schemas, no release has: the operator can repair it. */
function nameApplication(error: unknown): unknown {
  if (!(error instanceof Error) || isUnavailable(error)) return error;
  const message = error.message
    .replace(/Details: \S+/, "")
    .replace(/\s+/g, " ")
    .trim();
  return new OperatorError(
    `GRAPHQL_SCHEMAS: ${message} Rename what it names, or give it a comment that does: @name other_name, and for a foreign key ` +
      "@fieldName one_name, @foreignFieldName other_name.",
    { cause: error },
  );
}
