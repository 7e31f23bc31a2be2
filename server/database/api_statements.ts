import { apiFunctions, type ApiFunction } from "./api_functions.ts";

export interface ApiStatements {
  args: string[];
  /** One call, which waits for a row as long as the role's lock_timeout allows. */
  alone: string;
  /** One call that fails (55P03) when it has to wait for a row, so that it keeps no connection busy. */
  unlessHeld: string;
  /** Many calls: each parameter is the array of an argument's values, each row the answer to one call, in their order. */
  together: string;
}

/**
 * How long a group, or a call that is to fail when its row is held, waits for each row: long enough for another call to
 * commit, and much less than deadlock_timeout, so that nobody is its victim.
 */
const patienceMs = 10;

const withPatience = `with patience as materialized (select set_config('lock_timeout', '${patienceMs}', true))`;

/**
 * Named, cast arguments. One JSON object is cheaper on both sides than a row of ten columns, which PostgreSQL would buffer
 * and node-pg rebuild field by field; and it stays one column, whatever a migration does to the answers.
 */
export const apiStatements = Object.fromEntries(
  Object.entries(apiFunctions).map(([name, { args }]) => {
    const entries = Object.entries(args);
    const values = entries.map(([arg, type], index) => `${arg} => $${index + 1}::${type}`);
    const columns = entries.map(([arg]) => `${arg} => a.${arg}`);
    const call = `row_to_json(api.${name}(${values.join(", ")})) as answer`;
    const arrays = entries.map(([, type], index) => `$${index + 1}::${type}[]`);
    return [
      name,
      {
        args: entries.map(([arg]) => arg),
        alone: `select ${call}`,
        unlessHeld: `${withPatience} select ${call} from patience`,
        together:
          `${withPatience} select row_to_json(api.${name}(${columns.join(", ")})) as answer from patience, ` +
          `unnest(${arrays.join(", ")}) with ordinality as a(${[...entries.map(([arg]) => arg), "number"].join(", ")}) ` +
          `order by a.number`,
      },
    ];
  }),
) as Record<ApiFunction, ApiStatements>;
