import pg from "pg";
import { DatabaseClient } from "./client.ts";
import { OperatorError } from "../operator_error.ts";
import type { Log } from "../log.ts";

type NamedOptions = pg.PoolConfig & { application_name: string };

/**
 * Opens a connection pool that logs a warning when it loses a connection. Without a listener, node-pg's error event
 * would end the process. Nothing is logged once the pool is being closed.
 * @param options of pg.Pool; application_name identifies the pool in the log and in pg_stat_activity
 * @param create creates the pool; default: pg.Pool
 */
export function openPool(options: NamedOptions, log: Log): pg.Pool;
export function openPool<P extends pg.Pool>(options: NamedOptions, log: Log, create: (options: pg.PoolConfig) => P): P;
export function openPool(
  options: NamedOptions,
  log: Log,
  create: (options: pg.PoolConfig) => pg.Pool = (poolOptions) => new pg.Pool(poolOptions),
): pg.Pool {
  const pool = create({ keepAlive: true, Client: DatabaseClient, ...options });
  // The pool repeats only the errors of idle clients, so each client gets a listener of its own below.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    // A lost connection emits two errors: PostgreSQL's reason, and that the connection has ended.
    client.once("error", (error: Error) => {
      if (!pool.ending)
        log.warn({ err: error.message, pool: options.application_name }, "a database connection failed");
    });
    client.on("error", () => undefined);
  });
  return pool;
}

/**
 * Prepares a pool for its renewal. Call it before the pool is used.
 * @returns a function that marks all connections of the pool: each of them is closed when its next user releases it
 */
export function createPoolRenewal(pool: pg.Pool): () => void {
  let generation = 0;
  const generationOf = new WeakMap<pg.PoolClient, number>();
  pool.on("connect", (client) => generationOf.set(client, generation));
  // The pool removes a client that has ended when it is released.
  pool.on("release", (_error, client) => {
    if (generationOf.get(client) !== generation) void client.end();
  });
  return () => {
    generation++;
  };
}

/**
 * Whether the pool's connections keep one PostgreSQL backend, so that session state works. A transaction pooler assigns
 * a backend per transaction, and the process id that it reports at login is no backend's.
 */
export async function keepsBackend(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    return await hasOwnBackend(client);
  } finally {
    client.release();
  }
}

/**
 * Requires a connection that keeps its backend.
 * @param variable the environment variable that must contain PostgreSQL's direct URL
 * @throws OperatorError when the connection leads through a transaction pooler
 */
export async function requireOwnBackend(client: pg.ClientBase, variable: string): Promise<void> {
  if (await hasOwnBackend(client)) return;
  throw new OperatorError(
    `LISTEN and the queue need sessions, which a transaction pooler does not keep: set ${variable} to PostgreSQL's own address.`,
  );
}

async function hasOwnBackend(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid === (client as unknown as { processID: number }).processID;
}
