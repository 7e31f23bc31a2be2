import pg from "pg";
import { DatabaseClient } from "../../runtime/database/client.ts";
import { OperatorError } from "../../runtime/operator_error.ts";
import type { WhatIf } from "./fraud_arguments.ts";

/** A row of fraud.what_if. */
export interface Replayed {
  /** Null: all rules together. */
  rule: string | null;
  decisions: number;
  unknown: number;
  refused_then: number;
  refused_now: number;
  saved: number;
  saved_messages: number;
  hurt: number;
}

export interface Day {
  from: Date;
  rows: Replayed[];
}

/** The time-out of the replay of one day, which may have many decisions. The role's own is for requests. */
const statementTimeoutMs = 120_000;

/**
 * Calls fraud.what_if day by day (UTC), so that no statement is long, as the admin and read only.
 * @throws OperatorError when the database cannot be reached, or refuses the settings
 */
export async function replay(url: string, { from, to, settings }: WhatIf): Promise<Day[]> {
  const client = new DatabaseClient({ connectionString: url, application_name: "latchkey fraud" });
  // A lost connection fails the query that runs. Without a listener its event would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    // One transaction, so that all days see the same data and a transaction pooler keeps the role.
    await client.query("begin isolation level repeatable read, read only");
    await client.query("set local role latchkey_admin");
    await client.query(`set local statement_timeout = ${statementTimeoutMs}`);
    const days: Day[] = [];
    for (const [begin, end] of daysBetween(from, to)) {
      const { rows } = await client.query<Record<string, string | null>>("select * from fraud.what_if($1, $2, $3)", [
        JSON.stringify(settings),
        begin,
        end,
      ]);
      days.push({ from: begin, rows: rows.map(toReplayed) });
    }
    await client.query("commit");
    return days;
  } catch (error) {
    // 22023: a setting is wrong, and the message says how.
    const isRefusal = error instanceof pg.DatabaseError && error.code === "22023";
    const message = (error as Error).message || String((error as NodeJS.ErrnoException).code);
    throw new OperatorError(isRefusal ? message : `PostgreSQL did not answer: ${message}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

const toReplayed = ({ rule = null, ...counts }: Record<string, string | null>): Replayed => ({
  rule,
  ...(Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])) as Omit<
    Replayed,
    "rule"
  >),
});

function daysBetween(from: Date, to: Date): [Date, Date][] {
  const days: [Date, Date][] = [];
  for (let begin = from; begin < to;) {
    const midnight = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth(), begin.getUTCDate() + 1));
    const end = midnight < to ? midnight : to;
    days.push([begin, end]);
    begin = end;
  }
  return days;
}
