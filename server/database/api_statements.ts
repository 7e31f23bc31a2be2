import type { SqlType } from "./api_definition.ts";

export interface ApiStatements {
  /** One call. It waits for a locked row as long as the role's lock_timeout allows. */
  call: string;
  /** One call that fails (55P03) if a row that it needs stays locked, so that it does not occupy a connection. */
  callUnlessLocked: string;
  /**
   * Many calls: each parameter is the array of one argument's values, each row the answer to one call, in the calls'
   * order.
   */
  batch: string;
}

/**
 * How long a batch, or a call that is to fail on a locked row, waits for each row: long enough for another call to
 * commit, and far below deadlock_timeout, so that PostgreSQL never ends it as a deadlock.
 */
const lockTimeoutMs = 10;

/**
 * COMMIT takes a lock where NOTIFY was called, which every other commit that notifies holds until it is on disk. A call
 * that failed there would run twice, so the role's lock_timeout (db/roles.sql) is restored once all rows are locked.
 */
const commitLockTimeoutMs = 2_000;

/** Runs a query of one column, "answer", with the short time-out for locked rows. */
const unlessLocked = (query: string): string =>
  `with lock_timeout as materialized (select set_config('lock_timeout', '${lockTimeoutMs}', true)), ` +
  `answers as materialized (${query}), ` +
  // count(*) forces all answers to be computed first: otherwise each row would be computed when it is returned.
  `done as materialized (select set_config('lock_timeout', '${commitLockTimeoutMs}', true) from (select count(*) from answers) n) ` +
  "select answers.answer from answers, done";

/** The ids of the request, as JSON: for the job that it causes (private.queue_send), and the event of its refusal. */
export const requestArgument = "latchkey_request";

/**
 * Statements with named, cast arguments. The answer is one JSON column: PostgreSQL would buffer a row of ten columns
 * and node-pg rebuild it field by field, and a prepared statement would break when a migration adds an attribute to the
 * answer's type.
 * @param carriesRequest whether the last argument is requestArgument
 */
export function toStatements(
  name: string,
  args: Readonly<Record<string, SqlType>>,
  { carriesRequest = false } = {},
): ApiStatements {
  const columns = Object.entries(carriesRequest ? { ...args, [requestArgument]: "text" } : args).map(
    ([argument, type]) => ({ argument, type: type.replace("?", "") }),
  );
  const callWith = (values: string[]) => {
    const named = Object.keys(args).map((argument, index) => `${argument} => ${values[index]}`);
    const call = `row_to_json(api.${name}(${named.join(", ")}))`;
    // A CASE evaluates its condition first. Of a batch, each row's function sees its own request.
    return carriesRequest
      ? `case when set_config('latchkey.request', coalesce(${values.at(-1)}, ''), true) is not null then ${call} end as answer`
      : `${call} as answer`;
  };
  const single = callWith(columns.map(({ type }, index) => `$${index + 1}::${type}`));
  // unnest() would flatten an array of arrays: each inner one is JSON (columnOf).
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type.endsWith("[]") ? "text[]" : `${type}[]`}`);
  const elements = columns.map(({ argument, type }) =>
    type.endsWith("[]") ? `array(select jsonb_array_elements_text(c.${argument}::jsonb))` : `c.${argument}`,
  );
  const names = [...columns.map(({ argument }) => argument), "position"];
  return {
    call: `select ${single}`,
    callUnlessLocked: unlessLocked(`select ${single} from lock_timeout`),
    batch: unlessLocked(
      `select ${callWith(elements)} from lock_timeout, ` +
        `unnest(${arrays.join(", ")}) with ordinality as c(${names.join(", ")}) order by c.position`,
    ),
  };
}

/** The values of one argument in many calls, as the parameter of a batch. */
export const columnOf = (values: unknown[]): unknown[] =>
  values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value));
