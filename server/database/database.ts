import pg from "pg";
import type { Log } from "../../runtime/log.ts";
import { asUnavailable, UnavailableError } from "../../runtime/database/errors.ts";
import { keepsBackend } from "../../runtime/database/pool.ts";
import { createKeyedQueue } from "./keyed_queue.ts";
import { parseAnswer, type Answer, type ApiError } from "./api_answers.ts";
import type { ApiFunction } from "./api_definition.ts";
import { api } from "./api_functions.ts";
import { batchCalls, type BatchedCalls } from "./batched_calls.ts";
import { requestArgument } from "./api_statements.ts";
import { toCallable, type Callable } from "./callable.ts";
import type { Queryable } from "../../runtime/database/pipeline.ts";
import type { PoolState } from "../../runtime/database/pool_metrics.ts";
import type { RequestIds } from "../../runtime/request_ids.ts";
import type { Traces } from "../../runtime/traces.ts";
import { openConnections, type ConnectionName, type PoolOptions } from "./connections.ts";

/** How many calls may wait for one row. */
const maxWaitingPerRow = 100;

export interface Database {
  /**
   * Calls one function of schema api in one round trip.
   * @param request the ids of the request, which go with the jobs that the function queues
   * @throws UnavailableError when the database does not answer in time, or too many calls wait; UndeclaredError
   */
  call: <Args extends object, Data>(
    fn: ApiFunction<Args, Data>,
    args: Args,
    request?: RequestIds,
  ) => Promise<Answer<Data>>;
  /** Prepares each statement once per connection from now on, unless a transaction pooler is in between. */
  prepareStatements: () => Promise<void>;
  /** Replaces each connection that only reads, and so would stay on a standby after a failover. */
  renewReads: () => void;
  /** Milliseconds since the last call that neither hashes a password nor checks the service's health. */
  idleMs: () => number;
  /** The most connections that it opens. */
  maxConnections: number;
  /** What its pools and queues hold now. */
  state: () => DatabaseState;
  /** For the checks at start, which call no api function. */
  query: pg.Pool["query"];
  stop: () => Promise<void>;
}

export interface DatabaseState {
  pools: PoolState[];
  /** Calls that wait for the next batch, by function. */
  batches: { name: string; waiting: number }[];
  /** Calls that wait for another call about the same row. */
  rowWaiting: number;
}

/** What the metrics count of calls. */
export interface ObserveCalls {
  answer: (name: string, error: ApiError | null) => void;
  batch: (name: string, size: number) => void;
}

export interface DatabaseOptions extends PoolOptions {
  observe?: ObserveCalls | undefined;
  traces?: Traces | undefined;
  /** Whether to batch short writes; otherwise each is a transaction of its own. */
  batches?: boolean;
  /** Whether calls that only read share one connection; otherwise each takes one of the pool. */
  pipelines?: boolean;
}

export function openDatabase(
  url: string,
  log: Log,
  { batches = true, pipelines = true, observe, traces, ...poolOptions }: DatabaseOptions,
): Database {
  const connections = openConnections(url, log, poolOptions);
  const { bounds } = connections;
  const rowQueue = createKeyedQueue({ perKey: maxWaitingPerRow, total: bounds.fast.waiting });
  const batchers = new Map<string, BatchedCalls>();
  let isPrepared = false;
  let lastCallAt = -Infinity;

  async function query(pool: ConnectionName, name: string, text: string, values: unknown[]): Promise<unknown[]> {
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
    if (connections[pool].waitingCount >= bounds[pool].waiting) throw new UnavailableError(`the ${pool} pool is busy`);
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

  function callerOf(callable: Callable): (values: unknown[]) => Promise<unknown> {
    const alone = (values: unknown[]) => runSingle(callable, values);
    if (!batches) return alone;
    const batched = batchCalls(callable, {
      runBatch: ({ name, pool, statements }, columns) => query(pool, `${name} batch`, statements.batch, columns),
      runSingle: alone,
      onBatch: observe?.batch,
      maxWaiting: bounds[callable.pool].waiting,
      maxWaitingPerRow,
    });
    if (!batched) return alone;
    batchers.set(callable.name, batched);
    return batched.call;
  }

  const callers = new Map<object, Caller>(
    Object.entries(api).map(([name, fn]) => {
      const callable = toCallable(name, pipelines || fn.pool !== "pipeline" ? fn : { ...fn, pool: "fast" });
      return [fn, { name, argumentNames: callable.argumentNames, run: callerOf(callable) }];
    }),
  );

  async function run(fn: ApiFunction<never, unknown>, args: object, request?: RequestIds): Promise<unknown> {
    if (fn.pool !== "password" && fn.pool !== "health") lastCallAt = performance.now();
    const caller = callers.get(fn);
    if (!caller) throw new Error("no function of schema api");
    const byName: Record<string, unknown> = { ...args, [requestArgument]: request && JSON.stringify(request) };
    return caller.run(caller.argumentNames.map((argument) => byName[argument]));
  }

  /** Records a call of a request whose trace is recorded; what the call queues goes on from there. */
  async function traced<T>(
    name: string,
    request: RequestIds | undefined,
    work: (ids: RequestIds | undefined) => Promise<T>,
  ): Promise<T> {
    if (!traces || !request?.traceparent) return work(request);
    const span = traces.begin({
      name: `api.${name}`,
      kind: "client",
      parent: request.traceparent,
      attributes: { "db.system.name": "postgresql", "db.stored_procedure.name": `api.${name}` },
    });
    try {
      const result = await work({ ...request, traceparent: span.traceparent });
      span.end();
      return result;
    } catch (error) {
      span.end({ error: error instanceof Error ? error.name : "unknown" });
      throw error;
    }
  }

  return {
    call: async (fn, args, request) => {
      const name = callers.get(fn)?.name ?? "";
      const answer = await traced(name, request, async (ids) => parseAnswer(fn, await run(fn, args, ids)));
      observe?.answer(name, answer.error);
      return answer;
    },
    prepareStatements: async () => {
      isPrepared = await keepsBackend(connections.fast);
    },
    renewReads: connections.renewReads,
    idleMs: () => performance.now() - lastCallAt,
    maxConnections: Object.values(bounds).reduce((sum, bound) => sum + bound.connections, 0),
    state: () => ({
      pools: connections.state(),
      batches: [...batchers].map(([name, { waitingCount }]) => ({ name, waiting: waitingCount })),
      rowWaiting: rowQueue.waitingCount,
    }),
    query: connections.fast.query.bind(connections.fast),
    stop: connections.stop,
  };
}

interface Caller {
  name: string;
  argumentNames: string[];
  run: (values: unknown[]) => Promise<unknown>;
}

/** A row stayed locked for longer than the statement's lock_timeout. */
const isLockTimeout = (error: unknown): boolean =>
  error instanceof UnavailableError && error.cause instanceof pg.DatabaseError && error.cause.code === "55P03";
