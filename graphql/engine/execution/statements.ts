import pg from "pg";
import type { PgClientQuery, PgClientResult } from "postgraphile/@dataplan/pg";
import { preparedStatementName } from "./statement_names.ts";

/** Transaction-local settings: the role, its claims and the statement time-out. */
export type Settings = { role: string } & Record<string, string>;

/** The statements that begin a transaction with these settings. */
export const beginSql = (settings: Settings, readOnly: boolean): string =>
  Object.entries(settings).reduce(
    (text, [name, value]) => `${text}; set local ${name} to ${pg.escapeLiteral(value)}`,
    readOnly ? "begin read only" : "begin",
  );

/** @param prepareStatements whether to prepare by name: only if each connection keeps its backend */
export const sendStatement = <Row>(
  client: pg.ClientBase,
  { role }: Settings,
  { text, values, arrayMode, name }: PgClientQuery,
  prepareStatements: boolean,
): Promise<PgClientResult<Row>> =>
  client.query<Row & pg.QueryResultRow>({
    text,
    name: prepareStatements ? preparedStatementName(client, role, name) : undefined,
    ...(values && { values }),
    ...(arrayMode && { rowMode: "array" }),
  });

/** A migration changed the result of a prepared statement, or the connection lost it: close the connection. */
export const isStalePreparedStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === "0A000" || error.code === "26000");
