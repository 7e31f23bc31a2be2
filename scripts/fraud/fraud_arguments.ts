import { parseArgs } from "node:util";
import { OperatorError } from "../../runtime/operator_error.ts";

export interface WhatIf {
  from: Date;
  to: Date;
  /** Rules by name, as the argument of fraud.what_if. */
  settings: Record<string, unknown>;
}

export const usage = `npm run fraud -- what-if [--from 2026-03-01] [--to 2026-03-08] [--set FRAUD_COUNTRY='{"mode": "enforce", …}' …]`;
const dayMs = 86_400_000;
const defaultDays = 7;

/**
 * Parses the command line. Times are UTC unless they name an offset. Default of --to: now; of --from: seven days before
 * --to.
 * @throws OperatorError that says what is wrong
 */
export function parseArguments(args: string[], now = new Date()): WhatIf {
  const { values, positionals } = parse(args);
  if (positionals.length !== 1 || positionals[0] !== "what-if") throw new OperatorError(`Usage: ${usage}`);
  const to = values.to === undefined ? now : parseTime("--to", values.to);
  const from =
    values.from === undefined ? new Date(to.getTime() - defaultDays * dayMs) : parseTime("--from", values.from);
  if (from >= to) throw new OperatorError("--from must be earlier than --to.");
  return { from, to, settings: Object.fromEntries((values.set ?? []).map(parseSetting)) };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        from: { type: "string" },
        to: { type: "string" },
        set: { type: "string", multiple: true },
      },
    });
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\nUsage: ${usage}`);
  }
}

function parseTime(option: string, text: string): Date {
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const time = new Date(text);
  if (!isTime || Number.isNaN(time.getTime()))
    throw new OperatorError(`${option} must be a day or time such as 2026-03-01 or 2026-03-01T12:00Z, not ${text}.`);
  return time;
}

function parseSetting(text: string): [string, unknown] {
  const [, name, json] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || json === undefined)
    throw new OperatorError(`--set must be a rule and its value such as FRAUD_COUNTRY='{…}', not ${text}.`);
  try {
    return [name, JSON.parse(json)];
  } catch {
    throw new OperatorError(`--set ${name}: the value must be JSON. Does the shell need quotes around it?`);
  }
}
