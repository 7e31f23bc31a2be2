import type { PgClient, PgClientQuery, PgClientResult, WithPgClient } from "postgraphile/@dataplan/pg";
import { isReadOnly } from "../../../runtime/database/errors.ts";
import type { WritingQuery } from "../../hasura/writes/written_rows.ts";
import { limitExceeded, timedOut } from "../../refusal.ts";
import type { Connection, Payer } from "../admission/class_pool.ts";
import type { DatabaseAccess } from "../engine.ts";
import { createRowMeter } from "../limits/response_size.ts";
import { readSettingChanges, toChange, type Change } from "./changes.ts";
import { createStatementClock } from "./statement_clock.ts";
import { beginSql, isStalePreparedStatement, sendStatement, type Settings } from "./statements.ts";

interface Options {
  settings: Settings;
  payer: Payer;
  readOnly: boolean;
  /** Whether reads use the pool instead of the shared connection. */
  usePool: boolean;
  /** How long all statements of the request may take together, in milliseconds. */
  maxMs: number;
  /** How many rows each statement may write. */
  maxWrittenRows: number;
  /** Called with each write, before the transaction ends. */
  onWrite?: ((change: Change) => void) | undefined;
}

export interface Transaction {
  /** PostGraphile calls this to run statements. */
  withPgClient: WithPgClient;
  /** Ends the transaction, if a statement began one. */
  end: (outcome: "commit" | "rollback") => Promise<void>;
}

interface WriteConnection extends Connection {
  /**
   * The result of BEGIN and SET, behind which statements are pipelined. If it fails PostgreSQL refuses them: the
   * transaction is aborted, or the login role has no permissions.
   */
  beginResult: Promise<unknown>;
}

/**
 * The minimum of idle_in_transaction_session_timeout: a server that is busy for a moment must not lose its transaction.
 */
const minIdleMs = 2_000;

/**
 * Runs the statements of a request. Mutations run in one transaction, which the first statement begins: PostGraphile's
 * own adaptor begins one for each root field, so that a request could succeed in part. For queries see reads.ts.
 */
export function openTransaction(database: DatabaseAccess, options: Options): Transaction {
  const { pool, prepareStatements } = database;
  const { settings, payer, readOnly, maxMs, maxWrittenRows, onWrite } = options;
  const clock = createStatementClock(maxMs);
  let connection: Promise<WriteConnection> | undefined;
  let failure: { error: unknown } | undefined;

  const begin = async (): Promise<WriteConnection> => {
    const connected = await pool.connect(payer);
    const idleTimeout = { idle_in_transaction_session_timeout: String(Math.max(minIdleMs, maxMs)) };
    return { ...connected, beginResult: connected.client.query(beginSql({ ...settings, ...idleTimeout }, false)) };
  };

  const write = async <Row>(query: PgClientQuery): Promise<PgClientResult<Row>> => {
    const { client, beginResult } = await (connection ??= begin());
    const [, , result] = await Promise.all([
      beginResult,
      client.query(`set local statement_timeout to ${clock.remainingMs()}`),
      sendStatement<Row>(client, settings, query, prepareStatements),
    ]);
    if ("writes" in query && result.rows.length > maxWrittenRows)
      throw limitExceeded(
        "maxWrittenRows",
        `The mutation would write ${result.rows.length} rows, and the response has room for ${maxWrittenRows}: write fewer rows, or select fewer fields of them.`,
      );
    if (onWrite && "writes" in query) {
      const { writes } = query as WritingQuery;
      onWrite(toChange(writes, result.rows as readonly object[], await readSettingChanges(client, writes)));
    }
    return result;
  };

  const meterRows = createRowMeter();
  const read = async <Row>(query: PgClientQuery): Promise<PgClientResult<Row>> => {
    const timeout = Math.min(Number(settings.statement_timeout ?? Infinity), clock.remainingMs());
    const run = options.usePool ? database.pooledRead : database.read;
    const result = await run<Row>({ ...settings, statement_timeout: String(timeout) }, query, payer);
    meterRows(result.rows as readonly object[]);
    return result;
  };

  const client: PgClient = {
    query: readOnly ? read : write,
    // No savepoint: an error fails the whole request.
    withTransaction: (callback) => callback(client),
  };

  // Grafast runs root fields in parallel, and the request has one connection.
  let last: Promise<unknown> = Promise.resolve();
  const runNext = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  const withPgClient = <T>(_settings: unknown, callback: (client: PgClient) => T | Promise<T>): Promise<T> =>
    runNext(async () => {
      // PostgreSQL's error for a statement in an aborted transaction would hide the cause.
      if (failure) throw failure.error;
      try {
        // A request of fifty slow statements, each within the statement time-out, would hold a connection for minutes.
        if (clock.isExhausted()) throw timedOut;
        clock.start();
        return await callback(client);
      } catch (error) {
        failure = { error };
        throw error;
      } finally {
        clock.stop();
      }
    });

  return {
    withPgClient,
    end: (outcome) =>
      runNext(async () => {
        const begun = await connection?.catch(() => undefined);
        if (!begun) return;
        const { client, release, beginResult } = begun;
        try {
          await client.query(outcome);
          const hasBegun = await beginResult.then(
            () => true,
            () => false,
          );
          // As in createPooledRead. After a failover a connection to the standby would refuse the next mutation, too.
          release(!hasBegun || isStalePreparedStatement(failure?.error) || isReadOnly(failure?.error));
        } catch (error) {
          release(true);
          throw error;
        }
      }),
  };
}
