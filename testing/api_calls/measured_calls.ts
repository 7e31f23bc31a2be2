import { api } from "../../server/database/api_functions.ts";
import { toStatements } from "../../server/database/api_statements.ts";
import { cases, type Case, type FunctionName } from "./api_cases.ts";

/** A statement with its calls. */
export interface Measured extends Case {
  name: string;
  text: string;
  /** Names of the arguments, in the order of the statement's parameters. */
  args: string[];
}

/** Calls a function as its program does. */
export function callsOf(name: FunctionName): Measured {
  const { args } = name === "count_admin_failure" ? ({ args: { client: "text" } } as const) : api[name];
  return { name, ...cases[name], args: Object.keys(args), text: toStatements(name, args).call };
}
