import type pg from "pg";
import type { Log } from "../common/log.ts";
import { openGroupCommit } from "../common/group_commit.ts";
import { keepsBackend, openPool } from "../common/pool.ts";
import { openSharedConnection, type Asked } from "../common/shared_connection.ts";
import { apiFunctions, type Answer, type ApiFunction, type PoolName } from "./api_functions.ts";
import { Unavailable, isUnavailable } from "./unavailable.ts";

export type Arguments = Record<string, unknown>;

/**
 * Two pools, so that password calls, each of which burns 50 ms of a backend, cannot starve fast calls; one connection that
 * is shared by calls which only read a row, and one for short writes that are committed together. node-pg puts no bound on
 * its queues, so the door does.
 */
const pools: Record<PoolName, { connections: number; waiting: number; longestMs: number }> = {
  // Longer than the role's statement_timeout: it ends a call whose connection died without a word.
  fast: { connections: 10, waiting: 400, longestMs: 15_000 },
  password: { connections: 4, waiting: 16, longestMs: 15_000 },
  // Whoever asks the webhook waits for three seconds.
  shared: { connections: 1, waiting: 400, longestMs: 2_500 },
  grouped: { connections: 1, waiting: 400, longestMs: 5_000 },
};

export interface Database {
  /** Calls one function of schema api with those of the given arguments that it takes: one round trip. */
  call: <A extends Answer>(name: ApiFunction, given: Arguments) => Promise<A>;
  /** Has statements prepared once per connection from now on, unless a transaction pooler stands between. */
  prepareStatements: () => Promise<void>;
  /** For what is no call of an api function: the checks at start. */
  query: pg.Pool["query"];
  stop: () => Promise<void>;
}

export function openDatabase(url: string, log: Log): Database {
  const options = (name: PoolName) => ({
    connectionString: url,
    application_name: `latchkey server ${name}`,
    max: pools[name].connections,
    connectionTimeoutMillis: 2_000,
    query_timeout: pools[name].longestMs,
  });
  const fast = openPool(options("fast"), log);
  const password = openPool(options("password"), log);
  const shared = openSharedConnection(options("shared"), log);
  const groups = openSharedConnection(options("grouped"), log);
  const opened: Record<PoolName, Asked> = { fast, password, shared, grouped: openGroupCommit(groups, fast) };
  let prepared = false;

  return {
    async call<A extends Answer>(name: ApiFunction, given: Arguments): Promise<A> {
      const { pool: poolName } = apiFunctions[name];
      const pool = opened[poolName];
      if (pool.waitingCount >= pools[poolName].waiting) throw new Unavailable(`the ${poolName} pool is busy`);
      const { text, args } = statements[name];
      try {
        const values = args.map((arg) => given[arg]);
        const { rows } = await pool.query<{ answer: A | null }>({ text, values, ...(prepared && { name }) });
        const [{ answer }] = rows as [{ answer: A | null }];
        return answer ?? (allIsWell as A);
      } catch (error) {
        throw isUnavailable(error) ? new Unavailable((error as Error).message, { cause: error }) : error;
      }
    },
    prepareStatements: async () => {
      prepared = await keepsBackend(fast);
    },
    query: fast.query.bind(fast),
    stop: async () => {
      await Promise.all([fast.end(), password.end(), shared.stop(), groups.stop()]);
    },
  };
}

/** A composite of nothing but nulls is null in JSON. */
const allIsWell: Answer = { error_code: null, error_details: null };

/**
 * Named, cast arguments. One JSON object is cheaper on both sides than a row of ten columns, which PostgreSQL would buffer
 * and node-pg rebuild field by field; and it stays one column, whatever a migration does to the answers.
 */
const statements = Object.fromEntries(
  Object.entries(apiFunctions).map(([name, { args }]) => {
    const list = Object.entries(args).map(([arg, type], index) => `${arg} => $${index + 1}::${type}`);
    return [
      name,
      { text: `select row_to_json(api.${name}(${list.join(", ")})) as answer`, args: Object.keys(args) },
    ];
  }),
) as Record<ApiFunction, { text: string; args: string[] }>;
