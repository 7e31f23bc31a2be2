import type pg from "pg";
import type { ServerConfig } from "../../../config/config.ts";
import type { SharedConnection } from "../../database/pipeline.ts";
import { Unavailable } from "../../../runtime/database_errors.ts";
import { createUsageQueue } from "../../queues/usage_queue.ts";
import { createBudget, ownKey } from "./budget.ts";
import { createCostlyQueue, type CostlyQueue } from "./costly_queue.ts";
import { makeDocuments } from "./documents.ts";
import type { Engine } from "./engine.ts";
import {
  adminsCostly,
  freeDatabaseMs,
  listBounds,
  usersCostly,
  usersLongestMs,
  readsAlone,
} from "./limits.ts";
import { createPlanCaches } from "./plan_caches.ts";
import { makeAudienceSchema } from "../hasura/preset.ts";
import type { Audience } from "../../authorization/caller.ts";
import { readFrom, readTogether, type Read } from "./reads.ts";
import { tooManyOfPayer } from "./refusal.ts";
import { createTurns } from "./turns.ts";

interface Options {
  config: ServerConfig;
  pool: pg.Pool;
  shared: SharedConnection;
  /** Whether the pool's connections keep prepared statements. */
  prepared: boolean;
}

/** What executes the requests of each audience. The budget and the turns are for both: there is one event loop. */
export async function openEngines(options: Options): Promise<Record<Audience, Engine>> {
  const budget = createBudget({ msPerSecond: options.config.GRAPHQL_BUDGET_MS });
  const common = { budget, turn: createTurns() };
  const [user, admin] = await Promise.all([openUsers(options, common), openAdmins(options, common)]);
  return { user, admin };
}

type Common = Pick<Engine, "budget" | "turn">;

async function openUsers({ config, pool, shared, prepared }: Options, common: Common): Promise<Engine> {
  const { GRAPHQL_INTROSPECTION: introspection, GRAPHQL_STATEMENT_TIMEOUT_MS: ms } = config;
  const readAlone = inTurn(readFrom(pool, prepared), config.GRAPHQL_POOL_SIZE);
  return {
    ...common,
    ...(await audienceParts(pool, "user", introspection)),
    costly: createCostlyQueue(usersCostly),
    access: {
      ...{ pool, prepared, readAlone },
      read: config.OPTIMIZATIONS_OFF.has("read_pipeline")
        ? readAlone
        : readTogether(shared, readAlone, prepared),
      charge: (settings, kind, spentMs) =>
        common.budget.chargeDatabase(settings, spentMs - freeDatabaseMs[kind]),
    },
    longest: { ms, statementMs: Math.min(ms, usersLongestMs) },
  };
}

/** The admin's programs are trusted: they may ask for all that there is, and read whole tables. */
async function openAdmins({ config, pool, prepared }: Options, common: Common): Promise<Engine> {
  const { GRAPHQL_STATEMENT_TIMEOUT_MS: ms } = config;
  const read = readFrom(pool, prepared);
  return {
    ...common,
    ...(await audienceParts(pool, "admin", true)),
    costly: adminsQueue(),
    access: { pool, prepared, read, readAlone: read },
    longest: { ms, statementMs: ms },
  };
}

async function audienceParts(pool: pg.Pool, audience: Audience, introspection: boolean) {
  const built = await makeAudienceSchema(pool, audience);
  return {
    audience: built,
    documents: makeDocuments(built.schema, { introspection }),
    plans: createPlanCaches(built.schema),
    lists: listBounds[audience],
  };
}

/** Of each user, or guest session, one read at a time, and of all whose reads are slow a few: nobody takes all connections. */
function inTurn(read: Read, connections: number): Read {
  const refusal = () => new Unavailable("too many reads wait");
  const queue = createUsageQueue({ ...readsAlone, places: connections, refusal });
  return (settings, query, spent) => {
    const payer = ownKey(settings);
    const timed = (ms: number) => {
      queue.charge(payer, ms);
      spent?.(ms);
    };
    return queue.run(payer, () => read(settings, query, timed));
  };
}

/** All of them are one payer. */
function adminsQueue(): CostlyQueue {
  const { atOnce: places, waiting } = adminsCostly;
  const bounds = { perPayer: waiting, inAll: waiting };
  const queue = createUsageQueue({ places, bounds, refusal: () => tooManyOfPayer });
  return { run: (_, payer, work) => queue.run(payer, work) };
}
