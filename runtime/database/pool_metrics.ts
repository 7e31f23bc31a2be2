import type pg from "pg";
import type { Metrics } from "../metrics.ts";

/** What a pool's gauges say; of a pipelined connection the size is 1. */
export interface PoolState {
  name: string;
  /** The most connections that it opens. */
  size: number;
  /** Connections that run a statement or a transaction. */
  used: number;
  /** Calls that wait for a connection; of a pipelined connection, for their result. */
  waiting: number;
}

export const poolState = (
  name: string,
  pool: Pick<pg.Pool, "options" | "totalCount" | "idleCount" | "waitingCount">,
): PoolState => ({
  name,
  size: pool.options.max,
  used: pool.totalCount - pool.idleCount,
  waiting: pool.waitingCount,
});

export const pipelineState = (name: string, { waitingCount }: { waitingCount: number }): PoolState => ({
  name,
  size: 1,
  used: Math.min(waitingCount, 1),
  waiting: waitingCount,
});

/** Adds the gauges of a program's connections to PostgreSQL. */
export function measurePools(metrics: Metrics, read: () => PoolState[]): void {
  const gauge = (name: string, help: string, valueOf: (state: PoolState) => number) =>
    metrics.gauge({ name, help, labels: ["pool"] }, () =>
      read().map((state) => [[state.name], valueOf(state)] as const),
    );
  gauge("latchkey_pool_size", "Connections that a pool may open.", ({ size }) => size);
  gauge("latchkey_pool_used", "Connections of a pool that are in use.", ({ used }) => used);
  gauge("latchkey_pool_waiting", "Calls that wait for a connection of a pool.", ({ waiting }) => waiting);
}
