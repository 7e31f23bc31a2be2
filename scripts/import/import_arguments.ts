import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { OperatorError } from "../../runtime/operator_error.ts";

export interface ImportOptions {
  /** A path, or - for standard input. */
  file: string;
  /** Cost of the bcrypt hash in which an imported hash is stored. */
  cost: number;
  /** How many batches run at once: each keeps one core of the database busy. */
  connections: number;
  /** The path of the file that gets the new id of each line; undefined: none is written. */
  map: string | undefined;
}

export const usage = "npm run import -- FILE [--cost 6] [--connections 2] [--map FILE]";

/**
 * Takes 3 ms for each user. A low cost is enough: a guesser needs the pepper, and has to compute the imported hash too.
 * The first login stores the password again with PASSWORD_HASH_COST.
 */
const defaultCost = 6;

/** @throws OperatorError that says what is wrong */
export function parseArguments(args: string[]): ImportOptions {
  const { values, positionals } = parse(args);
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new OperatorError(`Usage: ${usage}`);
  return {
    file,
    cost: parseInteger("--cost", values.cost, defaultCost, 4, 14),
    connections: parseInteger("--connections", values.connections, availableParallelism(), 1, 32),
    map: values.map,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { cost: { type: "string" }, connections: { type: "string" }, map: { type: "string" } },
    });
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\nUsage: ${usage}`);
  }
}

function parseInteger(option: string, text: string | undefined, byDefault: number, least: number, most: number) {
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new OperatorError(`${option} must be a whole number from ${least} to ${most}, not ${text}.`);
  return value;
}
