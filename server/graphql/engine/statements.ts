import pg from "pg";
import type { PgClientQuery, PgClientResult } from "postgraphile/@dataplan/pg";
import { statementName } from "./statement_names.ts";

/** Transaction-local settings: the role to become, its claims and the statement timeout. */
export type Settings = { role: string } & Record<string, string>;

export const beginning = (settings: Settings, readOnly: boolean): string =>
  Object.entries(settings).reduce(
    (text, [name, value]) => `${text}; set local ${name} to ${pg.escapeLiteral(value)}`,
    readOnly ? "begin read only" : "begin",
  );

/** Prepared: statements have names, because every connection keeps its backend. */
export const sendStatement = <Row>(
  client: pg.ClientBase,
  { role }: Settings,
  { text, values, arrayMode, name }: PgClientQuery,
  prepared: boolean,
): Promise<PgClientResult<Row>> =>
  client.query<Row & pg.QueryResultRow>({
    text,
    name: prepared ? statementName(client, role, name) : undefined,
    ...(values && { values }),
    ...(arrayMode && { rowMode: "array" }),
  });

/** One packet for all that is sent in this turn of the event loop. */
export function corkThisTurn({ connection: { stream } }: pg.PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** A migration changed what a prepared statement answers, or it is no longer prepared: the connection is of no more use. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === "0A000" || error.code === "26000");
