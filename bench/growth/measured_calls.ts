import { api, startupFunctions } from "../../server/database/api_functions.ts";
import { toStatements } from "../../server/database/api_statements.ts";
import { cases, type Case, type FunctionName } from "./growth_cases.ts";

/** A statement with its calls. */
export interface Measured extends Case {
  name: string;
  text: string;
  /** Names of the arguments, in the order of the statement's parameters. */
  args: string[];
}

/** Calls a function as the server does: the startup checks read its result directly, all other calls read JSON. */
export function callsOf(name: FunctionName): Measured {
  const args =
    name in startupFunctions
      ? startupFunctions[name as keyof typeof startupFunctions]
      : api[name as keyof typeof api].args;
  const { call } = toStatements(name, args);
  return {
    ...{ name, ...cases[name], args: Object.keys(args) },
    text: name in startupFunctions ? call.replace(/row_to_json\((.*)\) as/, "$1 as") : call,
  };
}
