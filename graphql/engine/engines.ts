import type pg from "pg";
import type { GraphqlConfig } from "../../config/config.ts";
import type { PipelinedConnection } from "../../runtime/pipeline.ts";
import { UnavailableError } from "../../runtime/database_errors.ts";
import { createUsageQueue } from "../../server/queues/usage_queue.ts";
import { createBudget } from "./budget.ts";
import { createCostlyQueue, type CostlyQueue } from "./costly_queue.ts";
import { createDocumentCache } from "./document_cache.ts";
import type { Engine } from "./engine.ts";
import * as limits from "../request_limits.ts";
import { principalOf } from "./payers.ts";
import { createPlanCaches } from "./plan_caches.ts";
import { createAudienceSchema, type AudienceSchema } from "../hasura/preset.ts";
import type { Audience } from "../authorization/caller.ts";
import { createPooledRead, type Read } from "./reads.ts";
import { createSharedRead } from "./shared_reads.ts";
import { tooManyRequestsOfPayer } from "../refusal.ts";
import { createTurnQueue } from "./turn_queue.ts";

interface Options {
  config: GraphqlConfig;
  pool: pg.Pool;
  /** For reading the catalog, on one connection at a time; not used after createEngines. */
  introspectionPool: pg.Pool;
  shared: PipelinedConnection;
  /** Whether to prepare statements by name: only if each connection keeps its backend. */
  prepareStatements: boolean;
  createSchema?: CreateSchema | undefined;
}

/** Creates the schema of an audience from what its role may see of the database. */
export type CreateSchema = (pool: pg.Pool, audience: Audience) => Promise<AudienceSchema>;

type CommonParts = Pick<Engine, "budget" | "waitForTurn">;

/** Creates the engine of each audience. They share the budget and the turn queue, because they share the event loop. */
export async function createEngines(options: Options): Promise<Record<Audience, Engine>> {
  const budget = createBudget({ msPerSecond: options.config.GRAPHQL_BUDGET_MS });
  const common = { budget, waitForTurn: createTurnQueue() };
  // One after the other: creating a schema blocks the event loop, for more than ten seconds on a slow machine, and PostgreSQL
  // would take the other one's transaction for abandoned and close its connection (idle_in_transaction_session_timeout).
  const user = await createUserEngine(options, common);
  const admin = await createAdminEngine(options, common);
  return { user, admin };
}

async function createUserEngine(options: Options, common: CommonParts): Promise<Engine> {
  const { config, pool, shared, prepareStatements } = options;
  const { GRAPHQL_INTROSPECTION: introspection, GRAPHQL_STATEMENT_TIMEOUT_MS: requestMs } = config;
  const pooledRead = queueReads(createPooledRead(pool, prepareStatements), config.GRAPHQL_POOL_SIZE);
  return {
    ...common,
    ...(await createAudienceParts(options, "user", introspection)),
    costlyQueue: createCostlyQueue(limits.userCostlyQueue),
    database: {
      ...{ pool, prepareStatements, pooledRead },
      read: config.OPTIMIZATIONS_OFF.has("read_pipeline")
        ? pooledRead
        : createSharedRead(shared, pooledRead, prepareStatements),
      charge: (settings, kind, ms) =>
        common.budget.chargeDatabase(settings, ms - limits.freeDatabaseMs[kind]),
    },
    timeouts: { requestMs, statementMs: Math.min(requestMs, limits.userStatementMs) },
  };
}

/** The admin's programs are trusted and read whole tables: introspection is on, and nothing is shared or charged. */
async function createAdminEngine(options: Options, common: CommonParts): Promise<Engine> {
  const { config, pool, prepareStatements } = options;
  const { GRAPHQL_STATEMENT_TIMEOUT_MS: requestMs } = config;
  const read = createPooledRead(pool, prepareStatements);
  return {
    ...common,
    ...(await createAudienceParts(options, "admin", true)),
    costlyQueue: createAdminQueue(),
    database: { pool, prepareStatements, read, pooledRead: read },
    timeouts: { requestMs, statementMs: requestMs },
  };
}

async function createAudienceParts(
  { introspectionPool, createSchema = createAudienceSchema }: Options,
  audience: Audience,
  introspection: boolean,
) {
  const audienceSchema = await createSchema(introspectionPool, audience);
  return {
    audience: audienceSchema,
    documents: createDocumentCache(audienceSchema.schema, { introspection }),
    planCaches: createPlanCaches(audienceSchema.schema),
    listLimits: limits.listLimits[audience],
  };
}

/** Runs one read of a principal at a time, and few reads of principals with slow ones, so that nobody takes the whole pool. */
function queueReads(read: Read, connections: number): Read {
  const refusal = () => new UnavailableError("too many GraphQL reads are queued");
  const queue = createUsageQueue({ ...limits.pooledReads, concurrency: connections, refusal });
  return (settings, query, onDuration) => {
    const principal = principalOf(settings);
    const chargeAndReport = (ms: number) => {
      queue.charge(principal, ms);
      onDuration?.(ms);
    };
    return queue.run(principal, () => read(settings, query, chargeAndReport));
  };
}

function createAdminQueue(): CostlyQueue {
  const { concurrency, queued } = limits.adminCostlyQueue;
  // The admin is one payer.
  const bounds = { perPayer: queued, total: queued };
  const queue = createUsageQueue({ concurrency, bounds, refusal: () => tooManyRequestsOfPayer });
  return { run: (_callerClass, payer, work) => queue.run(payer, work) };
}
