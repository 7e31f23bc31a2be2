import pg from "pg";
import type { PgClientQuery, PgClientResult } from "postgraphile/@dataplan/pg";
import { endsConnection, UnavailableError } from "../../../runtime/database_errors.ts";
import type { PipelinedConnection } from "../../database/pipeline.ts";
import {
  beginSql,
  corkThisTick,
  isStalePreparedStatement,
  sendStatement,
  type Settings,
} from "./statements.ts";

/** How many calls may wait for a connection of the pool: node-pg has no limit. */
export const maxPoolWaiting = 200;
/** How many reads may be in flight on the shared connection. */
const maxSharedReads = 32;

/**
 * The time-out of a read on the shared connection is many times what a read of a caller's own rows takes, and short for
 * those that wait behind it.
 */
const defaultOptions = { timeoutMs: 50, cooldownMs: 1_000 };

/**
 * Runs one statement of a query in a read-only transaction of its own: BEGIN, the statement and COMMIT are one packet.
 * At READ COMMITTED, a transaction for all statements of the query would not give them a common snapshot either.
 * @param onDuration called with the milliseconds of a statement that ran on a connection of the pool
 * @throws UnavailableError if too many calls wait for the pool, and any error of node-pg
 */
export type Read = <Row>(
  settings: Settings,
  query: PgClientQuery,
  onDuration?: (ms: number) => void,
) => Promise<PgClientResult<Row>>;

/** @param prepareStatements whether to prepare by name: only if each connection keeps its backend */
export function createPooledRead(pool: pg.Pool, prepareStatements: boolean): Read {
  return async function read<Row>(
    settings: Settings,
    query: PgClientQuery,
    onDuration?: (ms: number) => void,
  ): Promise<PgClientResult<Row>> {
    if (pool.waitingCount >= maxPoolWaiting) throw new UnavailableError("the GraphQL pool is busy");
    const client = await pool.connect();
    corkThisTick(client);
    const startedAt = performance.now();
    const [begin, statement, commit] = await Promise.allSettled([
      client.query(beginSql(settings, true)),
      sendStatement<Row>(client, settings, query, prepareStatements),
      client.query("commit"),
    ]);
    const isStale = statement.status === "rejected" && isStalePreparedStatement(statement.reason);
    client.release(isStale || commit.status === "rejected");
    if (begin.status === "rejected") throw begin.reason;
    onDuration?.(performance.now() - startedAt);
    // A retry without a name uses no prepared statement.
    if (isStale && query.name) return read(settings, { ...query, name: "" }, onDuration);
    if (statement.status === "rejected") throw statement.reason;
    return statement.value;
  };
}

/**
 * Pipelines the reads of many callers on one connection, which costs less than a connection for each. Only for callers whose
 * row-level security leaves them few rows, so that reads are short. After a read that takes or waits too long, or a lost connection,
 * all reads use the pool for the cool-down, so that one caller cannot keep delaying the others.
 * @param pooledRead runs the reads that cannot use the shared connection
 * @param prepareStatements whether to prepare by name
 */
export function createSharedRead(
  connection: PipelinedConnection,
  pooledRead: Read,
  prepareStatements: boolean,
  { timeoutMs, cooldownMs } = defaultOptions,
): Read {
  let cooldownEndsAt = 0;
  return async <Row>(
    settings: Settings,
    query: PgClientQuery,
    onDuration?: (ms: number) => void,
  ): Promise<PgClientResult<Row>> => {
    const startedAt = performance.now();
    if (startedAt < cooldownEndsAt || connection.waitingCount >= maxSharedReads)
      return pooledRead(settings, query, onDuration);
    const readSettings = { ...settings, statement_timeout: String(timeoutMs) };
    const running = connection.pipeline(async (client) => {
      const results = [
        client.query(beginSql(readSettings, true)),
        sendStatement<Row>(client, settings, query, prepareStatements).catch(closeConnectionIfStale),
        client.query("commit"),
      ] as const;
      return (await Promise.all(results))[1];
    });
    const [read] = await Promise.allSettled([running]);
    const isConnectionLost = read.status === "rejected" && endsConnection(read.reason);
    const isStale = isConnectionLost && read.reason instanceof StalePreparedStatement;
    const now = performance.now();
    if (now - startedAt >= timeoutMs || (isConnectionLost && !isStale)) cooldownEndsAt = now + cooldownMs;
    if (read.status === "fulfilled") return read.value;
    if (isConnectionLost || isStatementTimeout(read.reason)) return pooledRead(settings, query, onDuration);
    throw read.reason;
  };
}

class StalePreparedStatement extends Error {
  override name = "StalePreparedStatement";
}

/** The shared connection closes itself on any error that is not a DatabaseError. */
function closeConnectionIfStale(error: unknown): never {
  throw isStalePreparedStatement(error)
    ? new StalePreparedStatement("a prepared statement is stale", { cause: error })
    : error;
}

const isStatementTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "57014";
