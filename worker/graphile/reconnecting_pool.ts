import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../../runtime/log.ts";
import { endsConnection, isUnavailable } from "../../runtime/database/errors.ts";
import { ignoreMigrationNotices } from "./migration_notices.ts";
import { createThrottledWarning, type ThrottledWarning } from "../../runtime/throttled_warning.ts";

const maxRetryDelayMs = 2_000;

/**
 * How long the worker waits for a connection, and for a statement: longer than the role's statement_timeout. A
 * firewall, or a failover to another address, may drop a connection silently, and TCP itself would give up after a
 * quarter of an hour.
 */
export const connectionTimeouts = { connectionTimeoutMillis: 10_000, query_timeout: 15_000 };

/** The statement itself may crash PostgreSQL, or always run into a time-out: after this many retries it fails. */
const maxRetries = 10;

/** SQLSTATE for which graphile-worker retries a statement: first after 50 ms, later at intervals of up to 7.5 s. */
const sqlstateThatQueueRetries = "40001";

type ConnectCallback = Parameters<pg.Pool["connect"]>[0];

/**
 * A pool for graphile-worker, which does not await the statements that complete or fail a job: if one of them failed,
 * the rejection would be unhandled and end the process. While retries are enabled, connect() waits for an unreachable
 * database with a backoff of up to two seconds. A lost connection, and a temporary failure such as a time-out, become
 * an error that graphile-worker retries. Goes when graphile-worker awaits these statements and retries them after a lost
 * connection by itself (0.18.0 does neither).
 */
export class ReconnectingPool extends pg.Pool {
  readonly #warn: ThrottledWarning;
  #retries = new AbortController();

  /** Creates the pool with retries disabled, so that a start without a database fails at once. */
  constructor(options: pg.PoolConfig, log: Log) {
    super(options);
    this.#warn = createThrottledWarning(log, "waiting for the database");
    this.#retries.abort();
    this.on("connect", makeStatementsRetryable);
    this.on("connect", ignoreMigrationNotices);
  }

  enableRetries(): void {
    this.#retries = new AbortController();
  }

  /** Call it first on shutdown: a worker that stops must not wait for an unreachable database. */
  disableRetries(): void {
    this.#retries.abort();
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    // graphile-worker retries statements even after the pool is closed, and nothing awaits them: they must not reject.
    if (!callback)
      return this.ending
        ? new Promise(() => undefined)
        : this.#connect().catch((error: unknown) => Promise.reject(retryable(error)));
    this.#connect().then(
      (client) => callback(undefined, client, (error?: Error | boolean) => client.release(error)),
      (error: unknown) => callback(error as Error, undefined, () => undefined),
    );
  }

  async #connect(): Promise<pg.PoolClient> {
    const { signal } = this.#retries;
    for (let retryDelayMs = 100; ; retryDelayMs = Math.min(2 * retryDelayMs, maxRetryDelayMs)) {
      try {
        return await super.connect();
      } catch (error) {
        if (signal.aborted || this.ending) throw error;
        this.#warn("connect", (error as Error).message);
        await delay(retryDelayMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /**
   * Runs a statement and returns its rows. A temporary failure, such as a deadlock or a lost connection, is retried,
   * although the first statement may have been committed: use it only for idempotent statements.
   */
  async queryWithRetry<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    for (let retries = 0; ; retries++) {
      try {
        return (await this.query<Row>(text, values)).rows;
      } catch (error) {
        if (this.#retries.signal.aborted || !isUnavailable(error) || retries === maxRetries) throw error;
      }
    }
  }
}

/** Wraps client.query: a statement that may succeed later fails with an error that graphile-worker retries. */
function makeStatementsRetryable(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const wrapped = (...args: unknown[]) => {
    const result = query(...args);
    // With a callback, pg.Pool itself receives the error.
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      // After a failover a client stays connected to a read-only server. The pool drops it only once it has ended.
      if (endsConnection(error)) void client.end().catch(() => undefined);
      else if (!isUnavailable(error)) throw error;
      throw retryable(error);
    });
  };
  client.query = wrapped as typeof client.query;
}

const retryable = (cause: unknown): Error =>
  Object.assign(new Error((cause as Error).message, { cause }), { code: sqlstateThatQueueRetries });
