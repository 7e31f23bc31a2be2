import type pg from "pg";
import type { Log } from "../../runtime/log.ts";
import { createPoolRenewal, openPool } from "../../runtime/database/pool.ts";
import { pipelineState, poolState, type PoolState } from "../../runtime/database/pool_metrics.ts";
import { openPipelinedConnection, type PipelinedConnection } from "../../runtime/database/pipeline.ts";
import type { PoolName } from "./api_definition.ts";

/** locked: retries of fast calls that met a locked row. */
export type ConnectionName = PoolName | "locked";

interface Bounds {
  connections: number;
  /** How many calls may wait for a connection, or for calls about the same row: node-pg does not bound its queues. */
  waiting: number;
  longestMs: number;
}

/**
 * Two pools, so that password calls, each of which keeps a backend busy for 50 ms, cannot starve fast calls; and one
 * connection each for the calls of the webhook, for health checks, so that they only show whether the database answers,
 * and for each kind of batch.
 */
const boundsOf = ({ fast, password, longestMs = 15_000 }: PoolOptions): Record<ConnectionName, Bounds> => ({
  fast: { connections: fast, waiting: 400, longestMs },
  // Password calls queue in queues/password_queue.ts, which is fair to clients and phones; none waits in the pool.
  password: { connections: password, waiting: 400, longestMs },
  // The webhook's callers time out after three seconds.
  pipeline: { connections: 1, waiting: 400, longestMs: 2_500 },
  health: { connections: 1, waiting: 400, longestMs: 2_500 },
  // waiting: per function.
  batch: { connections: 1, waiting: 400, longestMs: 5_000 },
  otp_batch: { connections: 1, waiting: 400, longestMs: 5_000 },
  // Fast calls that met a locked row wait here, so that locked rows delay no other call.
  locked: { connections: 4, waiting: 400, longestMs },
});

export interface PoolOptions {
  /** Connections of the pools that an operator sizes: SERVER_POOL_SIZE and PASSWORD_POOL_SIZE. */
  fast: number;
  password: number;
  /** How long a call waits for a connection; default 2,000. */
  connectionTimeoutMs?: number | undefined;
  /**
   * How long a call of these pools may take; default 15,000, which is longer than the role's statement_timeout: it ends
   * a call whose connection was lost silently.
   */
  longestMs?: number | undefined;
}

export interface Connections
  extends
    Record<"fast" | "password" | "locked", pg.Pool>,
    Record<"pipeline" | "health" | "batch" | "otp_batch", PipelinedConnection> {
  bounds: Record<ConnectionName, Bounds>;
  /**
   * Replaces each connection that only reads: after a failover it could stay on a standby, which never fails its
   * statements.
   */
  renewReads: () => void;
  state: () => PoolState[];
  stop: () => Promise<void>;
}

/** Opens each connection when it is first used. */
export function openConnections(url: string, log: Log, poolOptions: PoolOptions): Connections {
  const bounds = boundsOf(poolOptions);
  const options = (name: ConnectionName) => ({
    connectionString: url,
    application_name: `latchkey server ${name}`,
    max: bounds[name].connections,
    connectionTimeoutMillis: poolOptions.connectionTimeoutMs ?? 2_000,
    query_timeout: bounds[name].longestMs,
  });
  const pools = {
    fast: openPool(options("fast"), log),
    password: openPool(options("password"), log),
    locked: openPool(options("locked"), log),
  };
  const pipelines = {
    pipeline: openPipelinedConnection(options("pipeline"), log),
    health: openPipelinedConnection(options("health"), log),
    batch: openPipelinedConnection(options("batch"), log),
    otp_batch: openPipelinedConnection(options("otp_batch"), log),
  };
  const renewFast = createPoolRenewal(pools.fast);
  return {
    ...pools,
    ...pipelines,
    bounds,
    renewReads: () => {
      renewFast();
      pipelines.pipeline.renew();
    },
    state: () => [
      ...Object.entries(pools).map(([name, pool]) => poolState(name, pool)),
      ...Object.entries(pipelines).map(([name, connection]) => pipelineState(name, connection)),
    ],
    stop: async () => {
      await Promise.all([
        ...Object.values(pools).map((pool) => pool.end()),
        ...Object.values(pipelines).map((connection) => connection.stop()),
      ]);
    },
  };
}
