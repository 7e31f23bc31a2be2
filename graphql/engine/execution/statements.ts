import pg from "pg";
import type { PgClientQuery, PgClientResult } from "postgraphile/@dataplan/pg";
import { countCharacters } from "../limits/response_size.ts";
import { preparedStatementName } from "./statement_names.ts";

/** What a transaction begins with: the role, its ids, and transaction-local settings such as the statement time-out. */
export type Settings = { role: string } & Record<string, string>;

/**
 * The statements that begin a transaction of a caller. The ids are sealed while the role is still that of the program:
 * a setting could be changed by any function that a document calls.
 */
export const beginSql = (
  {
    "latchkey.session_id": sessionId,
    "latchkey.user_id": userId,
    "latchkey.claims": hookClaims,
    "latchkey.admin_name": adminName,
    "latchkey.actor": actor,
    ...settings
  }: Settings,
  readOnly: boolean,
): string => {
  const type = settings.role.replace(/^latchkey_/, "");
  const added = (hookClaims === undefined ? {} : JSON.parse(hookClaims)) as object;
  const claims = {
    ...added,
    sub: type === "guest" ? sessionId : userId,
    sid: sessionId,
    role: type,
    user_type: type,
    // Also where they are undefined: no hook may name an admin, or say that one acts.
    admin_name: adminName,
    actor,
  };
  return Object.entries(settings).reduce(
    (text, [name, value]) => `${text}; set local ${name} to ${pg.escapeLiteral(value)}`,
    `${readOnly ? "begin read only" : "begin"}; select latchkey.begin_request(${pg.escapeLiteral(JSON.stringify(claims))})`,
  );
};

/**
 * Rows beyond what a response may hold are dropped as they arrive: PostgreSQL sends a hundred megabytes in a second, and
 * holding them would stop the event loop for all callers.
 * @param prepareStatements whether to prepare by name: only if each connection keeps its backend
 */
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
    types: measuredTypes(),
  });

/** node-pg's parsers, which refuse a result that is too large: node-pg then reads it to its end and keeps nothing of it. */
function measuredTypes(): pg.CustomTypesConfig {
  const count = countCharacters();
  const getTypeParser: pg.CustomTypesConfig["getTypeParser"] = (oid, format) => {
    const parse = pg.types.getTypeParser(oid, format) as (text: string) => unknown;
    return (text: string) => {
      count(text.length);
      return parse(text);
    };
  };
  return { getTypeParser };
}

/** A migration changed the result of a prepared statement, or the connection lost it: close the connection. */
export const isStalePreparedStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === "0A000" || error.code === "26000");
