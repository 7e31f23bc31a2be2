import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../runtime/log.ts";
import { endsConnection } from "../runtime/database_errors.ts";
import { createThrottledWarning, type ThrottledWarning } from "../runtime/throttled_warning.ts";

const longestPauseMs = 2_000;

/** How often a statement is sent again whose connection was lost while it ran: it may be what ends the server. */
const maxRepeats = 10;

/** An SQLSTATE for which graphile-worker retries a statement: first after 50 ms, later at most 7.5 s apart. */
const retriedByQueue = "40001";

type ConnectCallback = Parameters<pg.Pool["connect"]>[0];

/**
 * A pool for graphile-worker, which does not await the statements that complete or fail a job: each of their errors is an
 * unhandled rejection, which ends the process. Between enableRetries() and disableRetries() connect() waits for a database that
 * is away, with a backoff of at most two seconds, and a lost connection is an error for which graphile-worker retries.
 */
export class ReconnectingPool extends pg.Pool {
  readonly #warn: ThrottledWarning;
  #trying = new AbortController();

  /** @param options those of pg.Pool */
  constructor(options: pg.PoolConfig, log: Log) {
    super(options);
    this.#warn = createThrottledWarning(log, "waiting for the database");
    // A start that finds no database fails at once and says so.
    this.#trying.abort();
    this.on("connect", retryLostStatements);
  }

  enableRetries(): void {
    this.#trying = new AbortController();
  }

  /** A worker that stops must not wait for a database that is away. */
  disableRetries(): void {
    this.#trying.abort();
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    // What the queue still retries when the pool is closed has nobody who waits for it.
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
    const { signal } = this.#trying;
    for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await super.connect();
      } catch (error) {
        if (signal.aborted || this.ending) throw error;
        this.#warn("connect", (error as Error).message);
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /**
   * Sends a statement, and sends it again when its connection is lost. Nobody knows whether a lost statement was committed:
   * only for statements of which a repetition changes nothing.
   */
  async queryWithRetry<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    for (let repeats = 0; ; repeats++) {
      try {
        return (await this.query<Row>(text, values)).rows;
      } catch (error) {
        if (this.#trying.signal.aborted || !endsConnection(error) || repeats === maxRepeats) throw error;
      }
    }
  }
}

/** Gives statements whose connection is lost an error for which the queue retries. */
function retryLostStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const retried = (...given: unknown[]) => {
    const result = query(...given);
    // With a callback it is pg's own pool that is told of errors.
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      if (!endsConnection(error)) throw error;
      // The pool keeps a client that is read-only since a failover, unless it has ended.
      void client.end().catch(() => undefined);
      throw retryable(error);
    });
  };
  client.query = retried as typeof client.query;
}

const retryable = (cause: unknown): Error =>
  Object.assign(new Error((cause as Error).message, { cause }), { code: retriedByQueue });
