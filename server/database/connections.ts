import type pg from "pg";
import type { Log } from "../../runtime/log.ts";
import { openPool } from "../../runtime/pool.ts";
import { openSharedConnection, type SharedConnection } from "./pipeline.ts";
import type { PoolName } from "./api_functions.ts";

export type ConnectionName = PoolName | "locked";

interface Bounds {
  connections: number;
  /** How many calls may wait for a connection, or for their turn at a row: node-pg puts no bound on its queues. */
  waiting: number;
  longestMs: number;
}

/**
 * Two pools, so that password calls, each of which burns 50 ms of a backend, cannot starve fast calls; one connection that
 * is shared by calls which only read a row, one for health checks, which then say nothing but whether the database answers,
 * and one for short writes that are committed together.
 */
const boundsOf = ({ fast, password }: PoolSizes): Record<ConnectionName, Bounds> => ({
  // Longer than the role's statement_timeout: it ends a call whose connection died without a word.
  fast: { connections: fast, waiting: 400, longestMs: 15_000 },
  // Password calls wait in rest/password_queue.ts, which decides whose turn it is: none waits in the pool.
  password: { connections: password, waiting: 400, longestMs: 15_000 },
  // Whoever asks the webhook waits for three seconds.
  pipeline: { connections: 1, waiting: 400, longestMs: 2_500 },
  health: { connections: 1, waiting: 400, longestMs: 2_500 },
  // For each function by itself.
  batch: { connections: 1, waiting: 400, longestMs: 5_000 },
  // Fast calls whose row somebody holds: however many rows are held, no other call waits for them.
  locked: { connections: 4, waiting: 400, longestMs: 15_000 },
});

/** Connections of the pools that an operator sizes: SERVER_POOL_SIZE and PASSWORD_POOL_SIZE. */
export interface PoolSizes {
  fast: number;
  password: number;
}

export interface Connections
  extends
    Record<"fast" | "password" | "locked", pg.Pool>,
    Record<"pipeline" | "health" | "batch", SharedConnection> {
  bounds: Record<ConnectionName, Bounds>;
  stop: () => Promise<void>;
}

/** Opens no connection yet: each is made when it is first needed. */
export function openConnections(url: string, log: Log, sizes: PoolSizes): Connections {
  const bounds = boundsOf(sizes);
  const options = (name: ConnectionName) => ({
    connectionString: url,
    application_name: `latchkey server ${name}`,
    max: bounds[name].connections,
    connectionTimeoutMillis: 2_000,
    query_timeout: bounds[name].longestMs,
  });
  const pools = {
    fast: openPool(options("fast"), log),
    password: openPool(options("password"), log),
    locked: openPool(options("locked"), log),
  };
  const shared = {
    pipeline: openSharedConnection(options("pipeline"), log),
    health: openSharedConnection(options("health"), log),
    batch: openSharedConnection(options("batch"), log),
  };
  return {
    ...pools,
    ...shared,
    bounds,
    stop: async () => {
      await Promise.all([
        ...Object.values(pools).map((pool) => pool.end()),
        ...Object.values(shared).map((connection) => connection.stop()),
      ]);
    },
  };
}
