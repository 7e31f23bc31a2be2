import type { z } from "zod";
import type { ApiErrorCode } from "./api_answers.ts";

/** The TypeScript type of each SQL type. */
interface SqlTypes {
  text: string;
  "text[]": string[];
  uuid: string;
  integer: number;
  boolean: boolean;
  "uuid[]": string[];
  bytea: Buffer;
  "bytea[]": Buffer[];
  /** As text: a number would lose digits. */
  numeric: string;
}
/** With "?": the argument's default is null. */
export type SqlType = keyof SqlTypes | `${keyof SqlTypes}?`;
type TypeOf<Type> = Type extends `${infer Plain extends keyof SqlTypes}?`
  ? SqlTypes[Plain] | null
  : Type extends keyof SqlTypes
    ? SqlTypes[Type]
    : never;
type Optional<Args> = { [Name in keyof Args]: Args[Name] extends `${string}?` ? Name : never }[keyof Args];
type ArgumentsOf<Args, Nullable> = {
  [Name in Exclude<keyof Args, Optional<Args>>]: TypeOf<Args[Name]> | (Name extends Nullable ? null : never);
} & { [Name in Optional<Args>]?: TypeOf<Args[Name]> };

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

/** One argument, or several of which the first that is not null counts. */
export type LockKey = string | readonly string[];

/** A function of schema api: takes Args by name and answers with Data. */
export interface ApiFunction<in Args, out Data> {
  pool: PoolName;
  args: Readonly<Record<string, SqlType>>;
  /**
   * The argument that names what calls contend for: calls with the same value run one at a time. Of a batched function
   * it must name the row that the function locks first: batches are sorted by it, so that those of two processes seldom
   * deadlock. Where they do, over rows locked later such as a client's limits, the short lock_timeout
   * (api_statements.ts) ends one, and its calls are retried alone. Of several arguments the first that is not null
   * counts. Undefined: the function locks no row.
   */
  lockKey: LockKey | undefined;
  retry: Retry;
  returns: z.ZodType<Data>;
  /** Every error code that the function may return. Any other code is a bug. */
  errors: readonly ApiErrorCode[];
  /** The values of details.reason that it may return and that have a status of their own (http/problem.ts). */
  reasons: readonly string[];
  /** Exists only for the compiler, to tie the type to its arguments. It is never set. */
  takes?: (args: Args) => void;
}

/** What the catalog says of a function. */
interface Declared<Args, Data> {
  args: Args;
  returns: z.ZodType<Data>;
  errors: readonly ApiErrorCode[];
  reasons: readonly string[];
}

/** What the catalog does not say. Only a function that may be retried can be batched. */
type Rules<Args> =
  | { pool: "pipeline" | "health"; lockKey?: undefined; retry?: undefined }
  | { pool: "fast" | "password"; lockKey: NameOf<Args>; retry: Retry }
  | { pool: "batch" | "otp_batch"; lockKey: NameOf<Args>; retry: "after rollback" };
type NameOf<Args> = (keyof Args & string) | readonly (keyof Args & string)[];

/**
 * Adds its rules to a function; its types follow from both.
 * @param rules.nullable the arguments that may be null and have no default
 */
export const define = <const Args extends Record<string, SqlType>, Data, const Nullable extends keyof Args = never>(
  { args, returns, errors, reasons }: Declared<Args, Data>,
  { pool, lockKey, retry = "never" }: Rules<Args> & { nullable?: readonly Nullable[] },
): ApiFunction<ArgumentsOf<Args, Nullable>, Data> => ({ args, returns, errors, reasons, pool, lockKey, retry });

/** The value that names what a call contends for. Calls with the same value run one at a time. */
export function lockKeyOf({ lockKey = [] }: { lockKey: LockKey | undefined }, args: object): string {
  const values = new Map<string, unknown>(Object.entries(args));
  return firstText([lockKey].flat().map((name) => values.get(name)));
}

export const firstText = (values: unknown[]): string => values.find((value) => typeof value === "string") ?? "";
