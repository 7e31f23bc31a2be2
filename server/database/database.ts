import pg from "pg";
import { openGroupCommit, type GroupCommit } from "./batch.ts";
import type { Log } from "../../runtime/log.ts";
import { keepsBackend } from "../../runtime/pool.ts";
import type { Asked } from "./pipeline.ts";
import { apiFunctions, type Answer, type ApiFunction } from "./api_functions.ts";
import { apiStatements } from "./api_statements.ts";
import { openConnections, type ConnectionName, type PoolSizes } from "./connections.ts";
import { createKeyedQueue } from "../queues/keyed_queue.ts";
import { Unavailable, isUnavailable } from "../../runtime/database_errors.ts";

export type Arguments = Record<string, unknown>;

/** How many calls may wait for one row. */
const maxWaitingPerRow = 100;

export interface Database {
  /** Calls one function of schema api with those of the given arguments that it takes: one round trip. */
  call: <A extends Answer>(name: ApiFunction, given: Arguments) => Promise<A>;
  /** Has statements prepared once per connection from now on, unless a transaction pooler stands between. */
  prepareStatements: () => Promise<void>;
  /** How many connections it holds at most. */
  maxConnections: number;
  /** For what is no call of an api function: the checks at start. */
  query: pg.Pool["query"];
  stop: () => Promise<void>;
}

export function openDatabase(url: string, log: Log, sizes: PoolSizes): Database {
  const connections = openConnections(url, log, sizes);
  const { bounds } = connections;
  const turns = createKeyedQueue({ perKey: maxWaitingPerRow, inAll: bounds.fast.waiting });
  let prepared = false;

  function refuseBeyond(pool: ConnectionName, waitingCount: number): void {
    if (waitingCount >= bounds[pool].waiting) throw new Unavailable(`the ${pool} pool is busy`);
  }

  async function ask(pool: Asked, name: string, text: string, values: unknown[]): Promise<Answer[]> {
    const query = { text, values, ...(prepared && { name }) };
    const { rows } = await pool.query<{ answer: Answer }>(query);
    return rows.map(({ answer }) => answer);
  }

  async function askOne(
    poolName: ConnectionName,
    name: ApiFunction,
    values: unknown[],
    way: "alone" | "unlessHeld" = "alone",
  ): Promise<Answer> {
    refuseBeyond(poolName, connections[poolName].waitingCount);
    const statementName = way === "alone" ? name : `${name} unless held`;
    try {
      const [answer] = (await ask(
        connections[poolName],
        statementName,
        apiStatements[name][way],
        values,
      )) as [Answer];
      return answer;
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** PostgreSQL has rolled back a call that met a held row, so it can be made again. */
  const askUnlessHeld = (name: ApiFunction, values: unknown[]): Promise<Answer> =>
    askOne("fast", name, values, "unlessHeld").catch((error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      return askOne("held", name, values);
    });

  /** One call by itself, at its turn among those about the same row. */
  function callAlone(name: ApiFunction, values: unknown[]): Promise<Answer> {
    const { pool, row } = apiFunctions[name];
    if (row === undefined) return askOne(pool, name, values);
    const key = rowOf(name, values);
    // The password queue has made them take turns already. They are not made twice: bcrypt costs more than the wait.
    if (pool === "password") return askOne("password", name, values);
    return turns.run(key, () => askUnlessHeld(name, values));
  }

  function groupCalls(name: ApiFunction): GroupCommit<unknown[], Answer> {
    const { args, together } = apiStatements[name];
    const columns = (calls: unknown[][]) => args.map((_, index) => calls.map((values) => values[index]));
    return openGroupCommit({
      together: (calls) => ask(connections.grouped, `${name} together`, together, columns(calls)),
      alone: (values) => callAlone(name, values),
      keyOf: (values: unknown[]) => rowOf(name, values),
    });
  }
  const groups = new Map(
    (Object.keys(apiFunctions) as ApiFunction[])
      .filter((name) => apiFunctions[name].pool === "grouped")
      .map((name) => [name, groupCalls(name)]),
  );

  return {
    async call<A extends Answer>(name: ApiFunction, given: Arguments): Promise<A> {
      const values = apiStatements[name].args.map((arg) => given[arg]);
      const group = groups.get(name);
      if (!group) return (await callAlone(name, values)) as A;
      refuseBeyond("grouped", group.waitingCount);
      return (await group.call(values).catch((error: unknown) => {
        throw asUnavailable(error);
      })) as A;
    },
    prepareStatements: async () => {
      prepared = await keepsBackend(connections.fast);
    },
    maxConnections: Object.values(bounds).reduce((sum, bound) => sum + bound.connections, 0),
    query: connections.fast.query.bind(connections.fast),
    stop: connections.stop,
  };
}

/** The value of the argument that names the row which the call locks. */
function rowOf(name: ApiFunction, values: unknown[]): string {
  const row: string | undefined = apiFunctions[name].row;
  return String(values[apiStatements[name].args.indexOf(row ?? "")]);
}

function asUnavailable(error: unknown): unknown {
  return isUnavailable(error) ? new Unavailable((error as Error).message, { cause: error }) : error;
}

/** A row was held longer than the statement was to wait for it. */
const isLockTimeout = (error: unknown): boolean =>
  error instanceof Unavailable && error.cause instanceof pg.DatabaseError && error.cause.code === "55P03";
