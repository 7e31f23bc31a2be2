import type pg from "pg";
import type { PgClientQuery, PgClientResult } from "postgraphile/@dataplan/pg";
import { UnavailableError } from "../../runtime/database_errors.ts";
import { beginSql, isStalePreparedStatement, sendStatement, type Settings } from "./statements.ts";

/** How many calls may wait for a connection of the pool: node-pg has no limit. */
export const maxPoolWaiting = 200;

/**
 * Runs one statement of a query in a read-only transaction of its own: BEGIN, the statement and COMMIT are sent without waiting
 * for each answer. At READ COMMITTED, a transaction for all statements of the query would not give them a common snapshot either.
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
