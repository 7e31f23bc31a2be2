import type { AnswerType, ApiErrorCode } from "./api_answers.ts";

/** The TypeScript type of each SQL type. "| null": the function accepts null for the argument. */
interface SqlTypes {
  text: string;
  "text | null": string | null;
  /** null where it is left out. */
  "text?": string | null;
  "text[]": string[];
  uuid: string;
  "uuid | null": string | null;
  integer: number;
  boolean: boolean;
  bytea: Buffer;
  /** As text: a number would lose digits. */
  "numeric | null": string | null;
}
export type SqlType = keyof SqlTypes;
type ArgumentsOf<Args extends Record<string, SqlType>> = {
  [Name in keyof Args as Args[Name] extends "text?" ? never : Name]: SqlTypes[Args[Name]];
} & { [Name in keyof Args as Args[Name] extends "text?" ? Name : never]?: SqlTypes[Args[Name]] };

/**
 * The connections that run a function (connections.ts). pipeline and health: one connection each, for functions that
 * are stable and lock no row. batch: short writes, many in one transaction. otp_batch: the same for sends and checks of
 * codes, apart because they would delay short writes.
 */
export type PoolName = "fast" | "password" | "pipeline" | "batch" | "otp_batch" | "health";

/**
 * Whether a call is retried after PostgreSQL rolled it back, because a row stayed locked or another call of its batch
 * failed. "never": a call that failed is not retried. A call whose outcome is unknown is never retried.
 */
export type Retry = "after rollback" | "never";

/** A function of schema api: takes Args by name and answers with Data. */
export interface ApiFunction<in Args, out Data> {
  pool: PoolName;
  args: Readonly<Record<string, SqlType>>;
  /**
   * The argument that names what calls contend for: calls with the same value run one at a time. Of a batched function
   * it must name the row that the function locks first: batches are sorted by it, so that those of two processes seldom
   * deadlock. Where they do, over rows locked later such as a client's limits, the short lock_timeout
   * (api_statements.ts) ends one, and its calls are retried alone. Undefined: the function locks no row.
   */
  lockKey: string | undefined;
  retry: Retry;
  returns: AnswerType<Data>;
  /** Every error code that the function may return. Any other code is a bug. */
  errors: readonly ApiErrorCode[];
  /** The values of details.reason that it may return and that have a status of their own (http/problem.ts). */
  reasons: readonly string[];
  /** Exists only for the compiler, to tie the type to its arguments. It is never set. */
  takes?: (args: Args) => void;
}

/** What a function declares by its pool. Only a function that may be retried can be batched. */
type Locking<Args> =
  | { pool: "pipeline" | "health"; lockKey?: undefined; retry?: undefined }
  | { pool: "fast" | "password"; lockKey: keyof Args & string; retry: Retry }
  | { pool: "batch" | "otp_batch"; lockKey: keyof Args & string; retry: "after rollback" };

type Definition<Args extends Record<string, SqlType>, Data> = Locking<Args> & {
  args: Args;
  returns: AnswerType<Data>;
  errors?: readonly ApiErrorCode[];
  reasons?: readonly string[];
};

/** Declares one function; its types follow from what it declares. */
export const define = <const Args extends Record<string, SqlType>, Data>({
  lockKey,
  retry = "never",
  errors = [],
  reasons = [],
  ...definition
}: Definition<Args, Data>): ApiFunction<ArgumentsOf<Args>, Data> => ({
  ...definition,
  lockKey,
  retry,
  errors,
  reasons,
});

/** The value that names what a call contends for. Calls with the same value run one at a time. */
export function lockKeyOf({ lockKey }: { lockKey: string | undefined }, args: object): string {
  return String(Object.entries(args).find(([name]) => name === lockKey)?.[1]);
}
