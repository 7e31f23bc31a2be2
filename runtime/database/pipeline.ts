import type pg from "pg";
import { endsConnection, NotConnected } from "./errors.ts";
import { DatabaseClient } from "./client.ts";
import type { Log } from "../log.ts";

/** The part of pg.Pool that callers use. */
export interface Queryable {
  query: <Row extends pg.QueryResultRow>(query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>;
  /** The number of statements that wait: in a pool for a connection, in a pipeline for their result. */
  readonly waitingCount: number;
}

export interface PipelinedConnection extends Queryable {
  /** Sends the callback's statements back to back: no other caller's statement runs between them. */
  pipeline: <T>(send: (client: pg.Client) => Promise<T>) => Promise<T>;
  /** Closes the connection after the statements in flight; the next statement opens a new one. */
  renew: () => void;
  stop: () => Promise<void>;
}

/**
 * One connection that many callers use at once (pipeline mode): statements of one turn of the event loop are one
 * packet, and one backend answers them without being woken up for each, which costs more than a short statement itself.
 * Only for statements that are short and wait for no lock: a slow statement delays all that were sent after it.
 */
export function openPipelinedConnection(
  options: pg.ClientConfig & { application_name: string },
  log: Log,
  { idleMs = 10_000, lifetimeMs = 3_600_000 } = {},
): PipelinedConnection {
  let current: Promise<pg.Client> | undefined;
  let waitingCount = 0;
  let isCorked = false;
  let isStopping = false;

  function connect(): Promise<pg.Client> {
    const client = new DatabaseClient({
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      pipeline: true,
      ...options,
    });
    client.on("error", (error) => {
      if (!isStopping) log.warn({ err: error.message, pool: options.application_name }, "a database connection failed");
    });
    // The next statement opens a new connection.
    const forget = () => {
      if (current === connection) current = undefined;
    };
    const connection = client.connect().then(
      () => client,
      (error: unknown) => {
        forget();
        client.connection.stream.destroy();
        throw error;
      },
    );
    // Recycling the connection frees its prepared statements, so no client can exhaust them permanently.
    const lifetime = setTimeout(() => void close(connection), lifetimeMs).unref();
    client.on("end", () => {
      clearTimeout(lifetime);
      forget();
    });
    return connection;
  }

  async function close(connection: Promise<pg.Client>): Promise<void> {
    if (current !== connection) return;
    current = undefined;
    const client = await connection.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  // Firewalls and poolers drop idle connections silently, so we close first.
  const idle = setTimeout(() => {
    if (waitingCount === 0 && current) void close(current);
  }, idleMs).unref();

  function corkThisTurn({ connection: { stream } }: pg.Client): void {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    setImmediate(() => {
      isCorked = false;
      stream.uncork();
    });
  }

  async function pipeline<T>(send: (client: pg.Client) => Promise<T>): Promise<T> {
    if (isStopping) throw new Error("Connection terminated");
    const connection = (current ??= connect());
    waitingCount++;
    try {
      const client = await connection.catch((error: unknown) => {
        throw new NotConnected((error as Error).message, { cause: error });
      });
      corkThisTurn(client);
      return await send(client);
    } catch (error) {
      if (endsConnection(error)) void close(connection);
      throw error;
    } finally {
      waitingCount--;
      idle.refresh();
    }
  }

  return {
    pipeline,
    get waitingCount() {
      return waitingCount;
    },
    query: <Row extends pg.QueryResultRow>(query: pg.QueryConfig) => pipeline((client) => client.query<Row>(query)),
    renew() {
      if (current) void close(current);
    },
    async stop() {
      isStopping = true;
      clearTimeout(idle);
      if (current) await close(current);
    },
  };
}
