import pg from "pg";
import type { PgClientQuery, PgClientResult } from "postgraphile/@dataplan/pg";
import { endsConnection } from "../../../runtime/database_errors.ts";
import type { PipelinedConnection } from "../../../runtime/pipeline.ts";
import type { Read, ReadCaller } from "./reads.ts";
import { beginSql, isStalePreparedStatement, sendStatement, type Settings } from "./statements.ts";

/** How many reads may be in flight on the shared connection. */
const maxSharedReads = 32;

/**
 * The time-out of a read on the shared connection is many times what a read of a caller's own rows takes, and short for
 * those that wait behind it.
 */
const defaultOptions = { timeoutMs: 50, cooldownMs: 1_000 };

/**
 * Pipelines the reads of many callers on one connection, which costs less than a connection for each. Only for callers
 * whose row-level security leaves them few rows, so that reads are short. After a read that takes or waits too long, or
 * a lost connection, all reads use the pool for the cool-down, so that one caller cannot keep delaying the others.
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
  return async <Row>(settings: Settings, query: PgClientQuery, caller: ReadCaller): Promise<PgClientResult<Row>> => {
    const startedAt = performance.now();
    if (startedAt < cooldownEndsAt || connection.waitingCount >= maxSharedReads)
      return pooledRead(settings, query, caller);
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
    if (isConnectionLost || isStatementTimeout(read.reason)) return pooledRead(settings, query, caller);
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

const isStatementTimeout = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "57014";
