import type pg from "pg";
import type { PgClient, PgClientQuery, PgClientResult, WithPgClient } from "postgraphile/@dataplan/pg";
import { Unavailable } from "../unavailable.ts";
import { tooSlow } from "./errors.ts";
import { statementName } from "./statement_names.ts";

/** node-pg puts no bound on its queue. */
const maxWaiting = 200;

interface Started {
  client: pg.PoolClient;
  begun: Promise<unknown>;
}

interface Options {
  /** Role and claims, set for this transaction only. */
  settings: { role: string } & Record<string, string>;
  readOnly: boolean;
  maxMs: number;
  /** Statements have names, because every connection keeps its backend. */
  prepared: boolean;
}

export interface Transaction {
  /** What PostGraphile calls to reach the database; ask it nothing else. */
  withPgClient: WithPgClient;
  /** Commits, or rolls back when the request failed. A request that never asked the database costs it nothing. */
  end: (outcome: "commit" | "rollback") => Promise<void>;
}

/**
 * One transaction for a whole request, begun when it is first needed, with role and claims set for that transaction
 * only. PostGraphile's own adaptor would open one per root field, so that a request's mutations could half succeed, and
 * would name its statements also where a transaction pooler does not carry them over.
 */
export function openTransaction(
  pool: pg.Pool,
  { settings, readOnly, maxMs, prepared }: Options,
): Transaction {
  const opened = performance.now();
  let started: Promise<Started> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let failed: { error: unknown } | undefined;

  const start = async (): Promise<Started> => {
    if (pool.waitingCount >= maxWaiting) throw new Unavailable("the GraphQL pool is busy");
    const client = await pool.connect();
    const { stream } = client.connection;
    // One packet for the beginning and the query that follows it in this turn of the event loop.
    stream.cork();
    process.nextTick(() => stream.uncork());
    const assignments = Object.entries(settings).map(
      ([name, value]) => `; set local ${name} to ${client.escapeLiteral(value)}`,
    );
    const begun = client.query(`begin${readOnly ? " read only" : ""}${assignments.join("")}`);
    return { client, begun };
  };

  /** Root fields are asked for side by side; the one connection answers them one after the other. */
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
        const { client, begun } = await (started ??= start());
        // Sent behind the beginning without waiting for its answer. Should that fail, PostgreSQL refuses this too.
        const named = (name?: string) => (prepared ? statementName(client, settings.role, name) : undefined);
        const [, result] = await Promise.all([begun, callback(pgClient(client, named))]);
        return result;
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
          client.release();
        } catch (error) {
          client.release(true);
          throw error;
        }
      }),
  };
}

function pgClient(client: pg.PoolClient, named: (name?: string) => string | undefined): PgClient {
  const self: PgClient = {
    async query<Row>({ text, values, arrayMode, name }: PgClientQuery): Promise<PgClientResult<Row>> {
      const result = await client.query({
        text,
        name: named(name),
        ...(values && { values }),
        ...(arrayMode && { rowMode: "array" }),
      } as pg.QueryConfig);
      return { rows: result.rows as Row[], rowCount: result.rowCount };
    },
    // No savepoint: what fails, fails the request.
    withTransaction: (callback) => callback(self),
  };
  return self;
}
