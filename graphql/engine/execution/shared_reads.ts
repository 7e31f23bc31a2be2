import pg from "pg";
import type { PgClientQuery } from "postgraphile/@dataplan/pg";
import { endsConnection } from "../../../runtime/database/errors.ts";
import type { PipelinedConnection } from "../../../runtime/database/pipeline.ts";
import { Refusal } from "../../refusal.ts";
import type { Payer } from "../admission/class_pool.ts";
import type { Read } from "./reads.ts";
import { beginSql, isStalePreparedStatement, sendStatement, type Settings } from "./statements.ts";

/** How many reads may be in flight on the shared connection. */
const maxSharedReads = 32;

/**
 * Many times what a read of a caller's own rows takes, also on a busy machine, and short for those that wait behind it.
 */
const defaultTimeoutMs = 100;

/**
 * Pipelines the reads of many callers on one connection, which costs less than a connection for each. Only for callers
 * whose row-level security leaves them few rows, so that reads are short. One that is not is ended, charged, and
 * repeated on the caller's own pool.
 * @param pooledRead runs the reads that cannot use the shared connection
 * @param prepareStatements whether to prepare by name
 */
export function createSharedRead(
  connection: PipelinedConnection,
  pooledRead: Read,
  prepareStatements: boolean,
  timeoutMs = defaultTimeoutMs,
): Read {
  return async <Row>(settings: Settings, query: PgClientQuery, payer: Payer) => {
    if (connection.waitingCount >= maxSharedReads) return pooledRead<Row>(settings, query, payer);
    let refusal: Refusal;
    try {
      const [, result] = await connection.pipeline((client) =>
        Promise.all([
          client.query(beginSql({ ...settings, statement_timeout: String(timeoutMs) }, true)).catch(closeConnection),
          sendStatement<Row>(client, settings, query, prepareStatements).catch(toRefusal),
          client.query("commit"),
        ]),
      );
      if (!(result instanceof Refusal)) return result;
      refusal = result;
    } catch (error) {
      const isTimeout = error instanceof pg.DatabaseError && error.code === "57014";
      if (isTimeout) payer.budget.chargeDatabase(timeoutMs);
      else if (!endsConnection(error)) throw error;
      return pooledRead<Row>(settings, query, payer);
    }
    throw refusal;
  };
}

/** As in createPooledRead. The read is repeated on the pool, whose error counts. */
function closeConnection(error: unknown): never {
  throw new Error("the transaction of a read did not begin", { cause: error });
}

/** The shared connection closes itself on any error that is not a DatabaseError: a refusal is none of its failures. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw isStalePreparedStatement(error) ? new Error("a prepared statement is stale", { cause: error }) : error;
}
