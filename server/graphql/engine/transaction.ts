import type pg from "pg";
import type { PgClient, PgClientQuery, PgClientResult, WithPgClient } from "postgraphile/@dataplan/pg";
import { Unavailable } from "../../../runtime/database_errors.ts";
import { createAnswerMeter } from "./answer_text.ts";
import { Refusal, tooSlow } from "./refusal.ts";
import { maxWaiting, type Read } from "./reads.ts";
import { beginning, corkThisTurn, isOutdated, sendStatement, type Settings } from "./statements.ts";

/** How the database is reached. */
export interface Access {
  pool: pg.Pool;
  prepared: boolean;
  read: Read;
  /** Over a connection that nobody else waits for. */
  readAlone: Read;
  /** Told how long a request kept the database busy: its reads that ran alone, or its mutations' connection. */
  charge?: (settings: Settings, kind: "reads" | "mutations", ms: number) => void;
}

/** A server that is busy for a moment keeps its transactions. */
const shortestIdleMs = 2_000;

interface Options {
  settings: Settings;
  readOnly: boolean;
  readsAlone: boolean;
  /** How long all statements together may take, milliseconds; what the event loop needs between them is not counted. */
  maxMs: number;
  /** By each statement that writes. */
  maxWrittenRows: number;
}

/** A statement that writes, and answers with the rows that it wrote. */
export interface WritingQuery extends PgClientQuery {
  writes: true;
}

export interface Transaction {
  /** What PostGraphile calls to reach the database; ask it nothing else. */
  withPgClient: WithPgClient;
  /** Commits, or rolls back when the request failed. A request that wrote nothing costs the database nothing here. */
  end: (outcome: "commit" | "rollback") => Promise<void>;
}

interface Begun {
  client: pg.PoolClient;
  /**
   * Nobody waits for it. Should it fail, PostgreSQL refuses what was sent behind it: the transaction is spoiled, or, had
   * it never begun, the log-in role may do nothing.
   */
  beginning: Promise<unknown>;
}

/**
 * One transaction for a request's mutations, begun when it is first needed. PostGraphile's own adaptor would open one per
 * root field, so that they could half succeed. A query needs none: see reads.ts.
 */
export function openTransaction(
  { pool, prepared, read, readAlone, charge }: Access,
  { settings, readOnly, readsAlone, maxMs, maxWrittenRows }: Options,
): Transaction {
  let spentMs = 0;
  let statementsBegan = 0;
  const takenMs = () => spentMs + performance.now() - statementsBegan;
  // Zero would be no limit at all.
  const msLeft = () => Math.max(1, Math.ceil(maxMs - takenMs()));
  let started: Promise<Begun> | undefined;
  let begunAt = 0;
  let queue: Promise<unknown> = Promise.resolve();
  let failed: { error: unknown } | undefined;

  const begin = async (): Promise<Begun> => {
    if (pool.waitingCount >= maxWaiting) throw new Unavailable("the GraphQL pool is busy");
    const client = await pool.connect();
    corkThisTurn(client);
    begunAt = performance.now();
    const limits = { idle_in_transaction_session_timeout: String(Math.max(shortestIdleMs, maxMs)) };
    return { client, beginning: client.query(beginning({ ...settings, ...limits }, false)) };
  };

  async function write<Row>(query: PgClientQuery): Promise<PgClientResult<Row>> {
    const { client, beginning } = await (started ??= begin());
    corkThisTurn(client);
    const [, , answer] = await Promise.all([
      beginning,
      // Each statement may take what those before it have left.
      client.query(`set local statement_timeout to ${msLeft()}`),
      sendStatement<Row>(client, settings, query, prepared),
    ]);
    if ("writes" in query && answer.rows.length > maxWrittenRows)
      throw new Refusal(
        "limit-exceeded",
        `The mutation would write ${answer.rows.length} rows, and the answer has room for ${maxWrittenRows}: write fewer, or select fewer fields of them.`,
      );
    return answer;
  }

  const meter = createAnswerMeter();
  let readMs = 0;
  const readMetered = async <Row>(query: PgClientQuery): Promise<PgClientResult<Row>> => {
    const timeout = String(Math.min(Number(settings.statement_timeout ?? Infinity), msLeft()));
    const limited = { ...settings, statement_timeout: timeout };
    const answer = await (readsAlone ? readAlone : read)<Row>(limited, query, (ms) => (readMs += ms));
    meter(answer.rows as readonly object[]);
    return answer;
  };

  const client: PgClient = {
    query: readOnly ? readMetered : write,
    // No savepoint: what fails, fails the request.
    withTransaction: (callback) => callback(client),
  };

  /** Root fields are asked for side by side; a request gets one connection at a time. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  };

  const withPgClient = <T>(_settings: unknown, callback: (client: PgClient) => T | Promise<T>): Promise<T> =>
    inTurn(async () => {
      // PostgreSQL would refuse whatever follows a failure, in words that hide what failed.
      if (failed) throw failed.error;
      try {
        // Fifty statements, each within its own timeout, would hold a connection for minutes.
        if (spentMs > maxMs) throw tooSlow;
        statementsBegan = performance.now();
        return await callback(client);
      } catch (error) {
        failed = { error };
        throw error;
      } finally {
        spentMs = takenMs();
      }
    });

  return {
    withPgClient: withPgClient,
    end: (outcome) =>
      inTurn(async () => {
        if (readMs > 0) charge?.(settings, "reads", readMs);
        const client = (await started?.catch(() => undefined))?.client;
        if (!client) return;
        try {
          await client.query(outcome);
          client.release(isOutdated(failed?.error));
        } catch (error) {
          client.release(true);
          throw error;
        } finally {
          charge?.(settings, "mutations", performance.now() - begunAt);
        }
      }),
  };
}
