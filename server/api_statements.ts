import { apiFunctions, type ApiFunction } from "./api_functions.ts";

export interface ApiStatements {
  args: string[];
  /** One call. */
  alone: string;
  /** Many calls: each parameter is the array of an argument's values, each row the answer to one call, in their order. */
  together: string;
}

/** How long a group waits for each row that somebody holds: much less than deadlock_timeout, so that nobody is its victim. */
const patienceMs = 10;

/**
 * Named, cast arguments. One JSON object is cheaper on both sides than a row of ten columns, which PostgreSQL would buffer
 * and node-pg rebuild field by field; and it stays one column, whatever a migration does to the answers.
 */
export const apiStatements = Object.fromEntries(
  Object.entries(apiFunctions).map(([name, { args }]) => {
    const entries = Object.entries(args);
    const values = entries.map(([arg, type], index) => `${arg} => $${index + 1}::${type}`);
    const columns = entries.map(([arg]) => `${arg} => a.${arg}`);
    const arrays = entries.map(([, type], index) => `$${index + 1}::${type}[]`);
    return [
      name,
      {
        args: entries.map(([arg]) => arg),
        alone: `select row_to_json(api.${name}(${values.join(", ")})) as answer`,
        together:
          `with patience as materialized (select set_config('lock_timeout', '${patienceMs}', true)) ` +
          `select row_to_json(api.${name}(${columns.join(", ")})) as answer from patience, ` +
          `unnest(${arrays.join(", ")}) with ordinality as a(${[...entries.map(([arg]) => arg), "number"].join(", ")}) ` +
          `order by a.number`,
      },
    ];
  }),
) as Record<ApiFunction, ApiStatements>;
