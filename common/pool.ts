import pg from "pg";
import type { Log } from "./log.ts";

/** A pool that says when it loses a connection, instead of ending the process, and is silent once it is being closed. */
export function openPool(options: pg.PoolConfig & { application_name: string }, log: Log): pg.Pool {
  const pool = new pg.Pool({ keepAlive: true, ...options });
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
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    return rows[0]?.pid === (client as unknown as { processID: number }).processID;
  } finally {
    client.release();
  }
}
