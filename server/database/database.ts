import pg from "pg";
import type { Log } from "../../runtime/log.ts";
import { UnavailableError, isUnavailable } from "../../runtime/database_errors.ts";
import { columnOf } from "./api_statements.ts";
import { createBatcher, type Batcher } from "../../runtime/batch.ts";
import { keepsBackend } from "../../runtime/pool.ts";
import { createKeyedQueue } from "../queues/keyed_queue.ts";
import { requestedParameters, parseAnswer, type Answer } from "./api_answers.ts";
import type { ApiFunction } from "./api_definition.ts";
import { api } from "./api_functions.ts";
import { toCallable, type Callable } from "./callable.ts";
import type { Queryable } from "./pipeline.ts";
import { openConnections, type ConnectionName, type PoolOptions } from "./connections.ts";

/** A send or the check of a code takes ten times the work of a refresh, and locks the rows of its phone and client until its batch commits. */
const maxBatchSizes = { batch: 64, otp_batch: 12 };
const isBatchPool = (pool: ConnectionName): pool is keyof typeof maxBatchSizes => pool in maxBatchSizes;

/** How many calls may wait for one row. */
const maxWaitingPerRow = 100;

export interface Database {
  /**
   * Calls one function of schema api in one round trip; in two if the function requests the pre-hash of an imported hash.
   * @param foreignPrehash computes that pre-hash from the parameters in the function's answer
   * @throws UnavailableError when the database does not answer in time, or too many calls wait
   */
  call: <Args extends object, Data>(
    fn: ApiFunction<Args, Data>,
    args: Args,
    foreignPrehash?: (parameters: string) => Promise<string>,
  ) => Promise<Answer<Data>>;
  /** Prepares each statement once per connection from now on, unless a transaction pooler is in between. */
  prepareStatements: () => Promise<void>;
  /** Replaces each connection that only reads, and so would stay on a standby after a failover. */
  renewReads: () => void;
  /** The most connections that it opens. */
  maxConnections: number;
  /** For the checks at start, which call no api function. */
  query: pg.Pool["query"];
  stop: () => Promise<void>;
}

export interface DatabaseOptions extends PoolOptions {
  /** Whether to batch short writes; otherwise each is a transaction of its own. */
  batches?: boolean;
  /** Whether calls that only read share one connection; otherwise each takes one of the pool. */
  pipelines?: boolean;
}

export function openDatabase(
  url: string,
  log: Log,
  { batches = true, pipelines = true, ...poolOptions }: DatabaseOptions,
): Database {
  const connections = openConnections(url, log, poolOptions);
  const { bounds } = connections;
  const rowQueue = createKeyedQueue({ perKey: maxWaitingPerRow, total: bounds.fast.waiting });
  let isPrepared = false;

  function refuseBeyond(pool: ConnectionName, waitingCount: number): void {
    if (waitingCount >= bounds[pool].waiting) throw new UnavailableError(`the ${pool} pool is busy`);
  }

  /** Prevents one phone from filling the queue of otp_batch. Not for batch: its lock key may be an address that many guests share. */
  function refuseCrowd(pool: ConnectionName, batcher: Batcher<unknown[], unknown>, values: unknown[]): void {
    if (pool !== "otp_batch" || batcher.waitingCount < maxWaitingPerRow) return;
    if (batcher.waitingBeside(values) >= maxWaitingPerRow)
      throw new UnavailableError("too many calls wait for a row");
  }

  async function query(
    pool: ConnectionName,
    name: string,
    text: string,
    values: unknown[],
  ): Promise<unknown[]> {
    const config = { text, values, ...(isPrepared && { name }) };
    const connection: Queryable = connections[pool];
    const { rows } = await connection.query<{ answer: unknown }>(config);
    return rows.map(({ answer }) => answer);
  }

  async function runOn(
    pool: ConnectionName,
    { name, statements }: Callable,
    values: unknown[],
    kind: "call" | "callUnlessLocked" = "call",
  ): Promise<unknown> {
    refuseBeyond(pool, connections[pool].waitingCount);
    try {
      const [answer] = await query(pool, `${name} ${kind}`, statements[kind], values);
      return answer;
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** Retries a call that met a locked row: PostgreSQL has rolled it back. */
  const runUnlessLocked = (callable: Callable, values: unknown[]): Promise<unknown> =>
    runOn("fast", callable, values, "callUnlessLocked").catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      return runOn("locked", callable, values);
    });

  /** Runs one call outside a batch. Calls that may be retried and lock the same row run one at a time. */
  function runSingle(callable: Callable, values: unknown[]): Promise<unknown> {
    const { pool, lockKeyOf, retry } = callable;
    if (lockKeyOf === undefined || retry === "never") return runOn(pool, callable, values);
    return rowQueue.run(lockKeyOf(values), () => runUnlessLocked(callable, values));
  }

  function batcherOf(callable: Callable): Batcher<unknown[], unknown> | undefined {
    const { name, pool, argumentNames, lockKeyOf, statements } = callable;
    if (!isBatchPool(pool) || lockKeyOf === undefined || !batches) return undefined;
    const columnsOf = (calls: unknown[][]) =>
      argumentNames.map((_, index) => columnOf(calls.map((values) => values[index])));
    return createBatcher({
      runBatch: (calls) => query(pool, `${name} batch`, statements.batch, columnsOf(calls)),
      runSingle: (values) => runSingle(callable, values),
      lockKeyOf,
      maxSize: maxBatchSizes[pool],
    });
  }

  const callers = new Map<object, { callable: Callable; batcher: Batcher<unknown[], unknown> | undefined }>(
    Object.entries(api).map(([name, fn]) => {
      const callable = toCallable(name, pipelines || fn.pool !== "pipeline" ? fn : { ...fn, pool: "fast" });
      return [fn, { callable, batcher: batcherOf(callable) }];
    }),
  );

  async function run(fn: object, args: object): Promise<unknown> {
    const caller = callers.get(fn);
    if (!caller) throw new Error("no function of schema api");
    const { callable, batcher } = caller;
    const byName: Record<string, unknown> = { ...args };
    const values = callable.argumentNames.map((argument) => byName[argument]);
    if (!batcher) return runSingle(callable, values);
    refuseBeyond(callable.pool, batcher.waitingCount);
    refuseCrowd(callable.pool, batcher, values);
    return batcher.call(values).catch((error: unknown) => {
      throw asUnavailable(error);
    });
  }

  return {
    call: async (fn, args, foreignPrehash) => {
      let json = await run(fn, args);
      const parameters = requestedParameters(json);
      if (parameters !== undefined && foreignPrehash)
        json = await run(fn, { ...args, foreign_prehash: await foreignPrehash(parameters) });
      const answer = parseAnswer(fn.returns, json);
      if (answer.error && !fn.errors.includes(answer.error.code))
        throw new Error(
          `${answer.error.code} is not among the errors that the function declares in api_functions.ts`,
        );
      return answer;
    },
    prepareStatements: async () => {
      isPrepared = await keepsBackend(connections.fast);
    },
    renewReads: connections.renewReads,
    maxConnections: Object.values(bounds).reduce((sum, bound) => sum + bound.connections, 0),
    query: connections.fast.query.bind(connections.fast),
    stop: connections.stop,
  };
}

function asUnavailable(error: unknown): unknown {
  return isUnavailable(error) ? new UnavailableError((error as Error).message, { cause: error }) : error;
}

/** A row stayed locked for longer than the statement's lock_timeout. */
const isLockTimeout = (error: unknown): boolean =>
  error instanceof UnavailableError &&
  error.cause instanceof pg.DatabaseError &&
  error.cause.code === "55P03";
