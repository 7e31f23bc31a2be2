import type { ApiFunction, Retry } from "./api_definition.ts";
import { toStatements, type ApiStatements } from "./api_statements.ts";
import type { ConnectionName } from "./connections.ts";

/** The properties of a function that a call needs, without its type parameters. */
export interface Callable {
  name: string;
  pool: ConnectionName;
  argumentNames: string[];
  lockKeyOf: ((values: unknown[]) => string) | undefined;
  retry: Retry;
  statements: ApiStatements;
}

export function toCallable(name: string, fn: Omit<ApiFunction<never, unknown>, "takes">): Callable {
  const { pool, args, lockKey, retry } = fn;
  const argumentNames = Object.keys(args);
  const position = lockKey === undefined ? -1 : argumentNames.indexOf(lockKey);
  const lockKeyOf = position < 0 ? undefined : (values: unknown[]) => String(values[position]);
  return { name, pool, argumentNames, lockKeyOf, retry, statements: toStatements(name, args) };
}
