import pg from "pg";
import { endsConnection, NotConnected } from "../../runtime/database_errors.ts";
import type { Log } from "../../runtime/log.ts";

/** The part of pg.Pool that callers use. */
export interface Queryable {
  query: <Row extends pg.QueryResultRow>(query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>;
  /** Statements that wait: of a pool for a connection, of a pipeline for their answer. */
  readonly waitingCount: number;
}

export interface SharedConnection extends Queryable {
  /** Nobody's statements come between those that the callback sends before it waits for anything. */
  inOneGo: <T>(send: (client: pg.Client) => Promise<T>) => Promise<T>;
  stop: () => Promise<void>;
}

/**
 * One connection that everybody asks at once: what is sent in one turn of the event loop is one packet, and one backend
 * answers it without being woken up for each statement, which costs more than a short statement itself. Only for
 * statements that are short and wait for no row: whatever waits, the next ones wait for.
 */
export function openSharedConnection(
  options: pg.ClientConfig & { application_name: string },
  log: Log,
  { idleMs = 10_000, lifetimeMs = 3_600_000 } = {},
): SharedConnection {
  let current: Promise<pg.Client> | undefined;
  let waitingCount = 0;
  let corked = false;
  let stopping = false;

  function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...{ keepAlive: true, keepAliveInitialDelayMillis: 5_000, pipeline: true },
      ...options,
    });
    client.on("error", (error) => {
      if (!stopping)
        log.warn({ err: error.message, pool: options.application_name }, "a database connection failed");
    });
    // The next statement gets a connection anew.
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
    // With a connection go the statements that it keeps prepared: nobody fills them up for good.
    const old = setTimeout(() => void drop(connection), lifetimeMs).unref();
    client.on("end", () => {
      clearTimeout(old);
      forget();
    });
    return connection;
  }

  async function drop(connection: Promise<pg.Client>): Promise<void> {
    if (current !== connection) return;
    current = undefined;
    const client = await connection.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  // What stands between may forget a silent connection without a word, and the next statement would find out too late.
  const idle = setTimeout(() => {
    if (waitingCount === 0 && current) void drop(current);
  }, idleMs).unref();

  function corkThisTurn({ connection: { stream } }: pg.Client): void {
    if (corked) return;
    corked = true;
    stream.cork();
    setImmediate(() => {
      corked = false;
      stream.uncork();
    });
  }

  async function inOneGo<T>(send: (client: pg.Client) => Promise<T>): Promise<T> {
    if (stopping) throw new Error("Connection terminated");
    const connection = (current ??= connect());
    waitingCount++;
    try {
      const client = await connection.catch((error: unknown) => {
        throw new NotConnected((error as Error).message, { cause: error });
      });
      corkThisTurn(client);
      return await send(client);
    } catch (error) {
      if (endsConnection(error)) void drop(connection);
      throw error;
    } finally {
      waitingCount--;
      idle.refresh();
    }
  }

  return {
    inOneGo,
    get waitingCount() {
      return waitingCount;
    },
    query: <Row extends pg.QueryResultRow>(query: pg.QueryConfig) =>
      inOneGo((client) => client.query<Row>(query)),
    async stop() {
      stopping = true;
      clearTimeout(idle);
      if (current) await drop(current);
    },
  };
}
