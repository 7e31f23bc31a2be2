import type { PgClientQuery, PgClientResult } from "postgraphile/@dataplan/pg";
import type { ClassPool, Payer } from "../admission/class_pool.ts";
import { beginSql, isStalePreparedStatement, sendStatement, type Settings } from "./statements.ts";

/**
 * Runs one statement of a query in a read-only transaction of its own: BEGIN, the statement and COMMIT are sent without
 * waiting for each answer. At READ COMMITTED, a transaction for all statements of the query would not give them a
 * common snapshot either.
 * @throws as ClassPool, and any error of node-pg
 */
export type Read = <Row>(settings: Settings, query: PgClientQuery, payer: Payer) => Promise<PgClientResult<Row>>;

/** @param prepareStatements whether to prepare by name: only if each connection keeps its backend */
export function createPooledRead(pool: ClassPool, prepareStatements: boolean): Read {
  return async function read<Row>(settings: Settings, query: PgClientQuery, payer: Payer) {
    const { client, release } = await pool.connect(payer);
    const [begin, statement, commit] = await Promise.allSettled([
      client.query(beginSql(settings, true)),
      sendStatement<Row>(client, settings, query, prepareStatements),
      client.query("commit"),
    ]);
    const isStale = statement.status === "rejected" && isStalePreparedStatement(statement.reason);
    // Without BEGIN's role the connection is of no use: a function of the application may have left it another one.
    release(isStale || begin.status === "rejected" || commit.status === "rejected");
    if (begin.status === "rejected") throw begin.reason;
    // A retry without a name uses no prepared statement.
    if (isStale && query.name) return read<Row>(settings, { ...query, name: "" }, payer);
    if (statement.status === "rejected") throw statement.reason;
    return statement.value;
  };
}
