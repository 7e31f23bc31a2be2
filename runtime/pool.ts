import pg from "pg";
import { OperatorError } from "./operator_error.ts";
import type { Log } from "./log.ts";

type NamedOptions = pg.PoolConfig & { application_name: string };

/**
 * A pool that says when it loses a connection, instead of ending the process, and is silent once it is being closed.
 * @param create makes the pool of its options, for pools that are more than pg's own
 */
export function openPool(options: NamedOptions, log: Log): pg.Pool;
export function openPool<P extends pg.Pool>(
  options: NamedOptions,
  log: Log,
  create: (options: pg.PoolConfig) => P,
): P;
export function openPool(
  options: NamedOptions,
  log: Log,
  create: (options: pg.PoolConfig) => pg.Pool = (given) => new pg.Pool(given),
): pg.Pool {
  const pool = create({ keepAlive: true, ...options });
  const onError = (error: Error) => {
    if (!pool.ending)
      log.warn({ err: error.message, pool: options.application_name }, "a database connection failed");
  };
  pool.on("error", onError);
  // Of a client that is checked out the pool says nothing.
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}

/**
 * Whether a connection keeps its backend. A transaction pooler lends one for each transaction, and therefore says at log-in
 * the process id of none.
 */
export async function keepsBackend(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    return await hasOwnBackend(client);
  } finally {
    client.release();
  }
}

/** @param variable names the address that must not lead through a transaction pooler. @throws OperatorError */
export async function requireOwnBackend(client: pg.ClientBase, variable: string): Promise<void> {
  if (await hasOwnBackend(client)) return;
  throw new OperatorError(
    `LISTEN and the queue need sessions of their own, and a transaction pooler keeps none: set ${variable} to PostgreSQL's own address.`,
  );
}

async function hasOwnBackend(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid === (client as unknown as { processID: number }).processID;
}
