import type pg from "pg";
import { openGroupCommit, type GroupCommit } from "../common/group_commit.ts";
import type { Log } from "../common/log.ts";
import { keepsBackend, openPool } from "../common/pool.ts";
import { openSharedConnection, type Asked } from "../common/shared_connection.ts";
import { apiFunctions, type Answer, type ApiFunction, type PoolName } from "./api_functions.ts";
import { apiStatements } from "./api_statements.ts";
import { Unavailable, isUnavailable } from "./unavailable.ts";

export type Arguments = Record<string, unknown>;

/**
 * Two pools, so that password calls, each of which burns 50 ms of a backend, cannot starve fast calls; one connection that
 * is shared by calls which only read a row, and one for short writes that are committed together, with a few beside it for
 * those that are not. node-pg puts no bound on its queues, so the door does.
 */
const bounds: Record<PoolName | "alone", { connections: number; waiting: number; longestMs: number }> = {
  // Longer than the role's statement_timeout: it ends a call whose connection died without a word.
  fast: { connections: 10, waiting: 400, longestMs: 15_000 },
  // These wait in rest/password_queue.ts, which decides whose turn it is: none waits in the pool.
  password: { connections: 4, waiting: 400, longestMs: 15_000 },
  // Whoever asks the webhook waits for three seconds.
  shared: { connections: 1, waiting: 400, longestMs: 2_500 },
  // For each function by itself.
  grouped: { connections: 1, waiting: 400, longestMs: 5_000 },
  // What a group cannot take: a row that somebody holds keeps no other route waiting.
  alone: { connections: 4, waiting: 400, longestMs: 15_000 },
};

export const passwordPool = bounds.password;

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
  const options = (name: keyof typeof bounds) => ({
    connectionString: url,
    application_name: `latchkey server ${name}`,
    max: bounds[name].connections,
    connectionTimeoutMillis: 2_000,
    query_timeout: bounds[name].longestMs,
  });
  const fast = openPool(options("fast"), log);
  const password = openPool(options("password"), log);
  const shared = openSharedConnection(options("shared"), log);
  const grouped = openSharedConnection(options("grouped"), log);
  const alone = openPool(options("alone"), log);
  const pools: Record<keyof typeof bounds, Asked> = { fast, password, shared, grouped, alone };
  let prepared = false;

  async function ask(pool: Asked, name: string, text: string, values: unknown[]): Promise<Answer[]> {
    const query = { text, values, ...(prepared && { name }) };
    const { rows } = await pool.query<{ answer: Answer | null }>(query);
    return rows.map(({ answer }) => answer ?? allIsWell);
  }

  async function askOne(
    poolName: keyof typeof bounds,
    name: ApiFunction,
    values: unknown[],
  ): Promise<Answer> {
    refuseBeyond(poolName, pools[poolName].waitingCount);
    const [answer] = (await ask(pools[poolName], name, apiStatements[name].alone, values)) as [Answer];
    return answer;
  }

  function groupCalls(name: ApiFunction): GroupCommit<unknown[], Answer> {
    const { args, together } = apiStatements[name];
    const columns = (calls: unknown[][]) => args.map((_, index) => calls.map((values) => values[index]));
    return openGroupCommit({
      together: (calls) => ask(grouped, `${name} together`, together, columns(calls)),
      alone: (values) => askOne("alone", name, values),
      // A session's id, or the address whose guests are counted.
      keyOf: ([first]: unknown[]) => String(first),
    });
  }
  const groups = new Map(
    (Object.keys(apiFunctions) as ApiFunction[])
      .filter((name) => apiFunctions[name].pool === "grouped")
      .map((name) => [name, groupCalls(name)]),
  );

  return {
    async call<A extends Answer>(name: ApiFunction, given: Arguments): Promise<A> {
      const { pool } = apiFunctions[name];
      const values = apiStatements[name].args.map((arg) => given[arg]);
      const group = groups.get(name);
      if (group) refuseBeyond(pool, group.waitingCount);
      try {
        return (await (group?.call(values) ?? askOne(pool, name, values))) as A;
      } catch (error) {
        throw isUnavailable(error) ? new Unavailable((error as Error).message, { cause: error }) : error;
      }
    },
    prepareStatements: async () => {
      prepared = await keepsBackend(fast);
    },
    query: fast.query.bind(fast),
    stop: async () => {
      await Promise.all([fast.end(), password.end(), alone.end(), shared.stop(), grouped.stop()]);
    },
  };
}

function refuseBeyond(pool: keyof typeof bounds, waitingCount: number): void {
  if (waitingCount >= bounds[pool].waiting) throw new Unavailable(`the ${pool} pool is busy`);
}

/** A composite of nothing but nulls is null in JSON. */
const allIsWell: Answer = { error_code: null, error_details: null };
