import type { PgClient, PgCodec } from "postgraphile/@dataplan/pg";
import { sideEffectWithPgClientTransaction } from "postgraphile/@dataplan/pg";
import { access, Step, type ExecutionDetails, type GrafastResultsList } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { column, type Column, type Table } from "./tables.ts";
import type { WritingQuery } from "../engine/transaction.ts";

/** Alias of the table that a statement writes to, or of the function that it calls. */
export const written = sql.identifier(Symbol("written"));

type Row = Record<string, unknown>;

/**
 * Runs one writing statement per call of `statement`, in the request's transaction, and gives the rows that were
 * written, as far as the role may read them: "returning *" would need a grant on the secret columns too.
 */
export function writtenRows<Arguments>(
  table: Table,
  $arguments: Step<Arguments>,
  statement: (given: Arguments) => SQL,
): WrittenRowsStep {
  const $rows = sideEffectWithPgClientTransaction(
    table.resource.executor,
    $arguments,
    async (client: PgClient, given: Arguments): Promise<Row[]> => {
      const { text, values } = sql.compile(statement(given));
      const query: WritingQuery = { text, values, writes: true };
      const { rows } = await client.query<Row>(query);
      return rows.map((row) => decoded(table.readable, row));
    },
  );
  return new WrittenRowsStep($rows);
}

/** The columns that the role may read, as PostGraphile would select them. */
export const readableColumns = ({ readable }: Table): SQL =>
  sql.join(
    readable.map(({ name, codec, notNull }) => {
      const value = column(written, name);
      const text = codec.castFromPg ? codec.castFromPg(value, notNull) : sql`${value}::text`;
      return sql`${text} as ${sql.identifier(name)}`;
    }),
    ", ",
  );

function decoded(columns: Column[], row: Row): Row {
  const value = (codec: PgCodec, text: unknown): unknown =>
    text === null ? null : (codec.fromPg(text) as unknown);
  return Object.fromEntries(columns.map(({ name, codec }) => [name, value(codec, row[name])]));
}

/** A list of written rows; each looks to PostGraphile's fields like a row that was selected. */
export class WrittenRowsStep extends Step<Row[]> {
  static override $$export = { moduleName: "latchkey", exportName: "WrittenRowsStep" };
  constructor($rows: Step<Row[]>) {
    super();
    this.addDependency($rows);
    this.isSyncAndSafe = true;
  }
  listItem($row: Step<Row>): WrittenRowStep {
    return new WrittenRowStep($row);
  }
  first(): WrittenRowStep {
    return new WrittenRowStep(access(this, 0));
  }
  override execute({ values: [rows], indexMap }: ExecutionDetails<[Row[]]>): GrafastResultsList<Row[]> {
    return indexMap((index) => rows.at(index));
  }
}

export class WrittenRowStep extends Step<Row> {
  static override $$export = { moduleName: "latchkey", exportName: "WrittenRowStep" };
  constructor($row: Step<Row>) {
    super();
    this.addDependency($row);
    this.isSyncAndSafe = true;
  }
  get(name: string): Step {
    return access(this, name);
  }
  override execute({ values: [row], indexMap }: ExecutionDetails<[Row]>): GrafastResultsList<Row> {
    return indexMap((index) => row.at(index));
  }
}
