import pg from "pg";
import type { PgClient, PgClientQuery, PgClientResult, WithPgClient } from "postgraphile/@dataplan/pg";
import { Unavailable } from "../unavailable.ts";
import { tooSlow } from "./errors.ts";
import { statementName } from "./statement_names.ts";

/** node-pg puts no bound on its queue. */
const maxWaiting = 200;

interface Options {
  /** Role and claims, set for a transaction only. */
  settings: { role: string } & Record<string, string>;
  readOnly: boolean;
  maxMs: number;
  /** Statements have names, because every connection keeps its backend. */
  prepared: boolean;
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
 * root field, so that they could half succeed. Each statement of a query is a transaction of its own, beginning and end
 * included in one packet: at READ COMMITTED one for all would show it nothing else.
 */
export function openTransaction(pool: pg.Pool, options: Options): Transaction {
  const { settings, readOnly, maxMs, prepared } = options;
  const opened = performance.now();
  let started: Promise<Begun> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let failed: { error: unknown } | undefined;

  const begin = async (): Promise<Begun> => {
    if (pool.waitingCount >= maxWaiting) throw new Unavailable("the GraphQL pool is busy");
    const client = await pool.connect();
    const { stream } = client.connection;
    // One packet for all that is sent in this turn of the event loop.
    stream.cork();
    process.nextTick(() => stream.uncork());
    const assignments = Object.entries(settings).map(
      ([name, value]) => `; set local ${name} to ${client.escapeLiteral(value)}`,
    );
    return { client, beginning: client.query(`begin${readOnly ? " read only" : ""}${assignments.join("")}`) };
  };

  const send = <Row>(client: pg.PoolClient, { text, values, arrayMode, name }: PgClientQuery) =>
    client.query({
      text,
      name: prepared ? statementName(client, settings.role, name) : undefined,
      ...(values && { values }),
      ...(arrayMode && { rowMode: "array" }),
    } as pg.QueryConfig) as unknown as Promise<PgClientResult<Row>>;

  async function read<Row>(query: PgClientQuery): Promise<PgClientResult<Row>> {
    const { client, beginning } = await begin();
    const sent = [beginning, send<Row>(client, query), client.query("commit")] as const;
    const [began, answered, ended] = await Promise.allSettled(sent);
    const outdated = answered.status === "rejected" && isOutdated(answered.reason);
    client.release(outdated || ended.status === "rejected");
    if (began.status === "rejected") throw began.reason;
    // Without a name it is prepared anew.
    if (outdated && query.name) return read({ ...query, name: "" });
    if (answered.status === "rejected") throw answered.reason;
    return answered.value;
  }

  async function write<Row>(query: PgClientQuery): Promise<PgClientResult<Row>> {
    const { client, beginning } = await (started ??= begin());
    const [, answer] = await Promise.all([beginning, send<Row>(client, query)]);
    return answer;
  }

  const client: PgClient = {
    query: readOnly ? read : write,
    // No savepoint: what fails, fails the request.
    withTransaction: (callback) => callback(client),
  };

  /** Root fields are asked for side by side; a request gets one connection, which answers them one after the other. */
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
        if (performance.now() - opened > maxMs) throw tooSlow;
        return await callback(client);
      } catch (error) {
        failed = { error };
        throw error;
      }
    });

  return {
    withPgClient: withPgClient,
    end: (outcome) =>
      inTurn(async () => {
        const client = (await started?.catch(() => undefined))?.client;
        if (!client) return;
        try {
          await client.query(outcome);
          client.release(isOutdated(failed?.error));
        } catch (error) {
          client.release(true);
          throw error;
        }
      }),
  };
}

/** A migration changed what a prepared statement answers, or it is no longer prepared: the connection is of no more use. */
const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === "0A000" || error.code === "26000");
