import { firstText, type ApiFunction, type Retry } from "./api_definition.ts";
import { requestArgument, toStatements, type ApiStatements } from "./api_statements.ts";
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
  // The others only read.
  const carriesRequest = pool !== "pipeline" && pool !== "health";
  const argumentNames = [...Object.keys(args), ...(carriesRequest ? [requestArgument] : [])];
  const positions = [lockKey ?? []].flat().map((argument) => argumentNames.indexOf(argument));
  const lockKeyOf =
    lockKey === undefined ? undefined : (values: unknown[]) => firstText(positions.map((position) => values[position]));
  return { name, pool, argumentNames, lockKeyOf, retry, statements: toStatements(name, args, { carriesRequest }) };
}
