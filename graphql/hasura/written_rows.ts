import type { PgClient, PgClientQuery, PgCodec } from "postgraphile/@dataplan/pg";
import { assertPgClassSingleStep, sideEffectWithPgClientTransaction } from "postgraphile/@dataplan/pg";
import { access, Step, type ExecutionDetails, type GrafastResultsList } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { column, type Column, type Table } from "./tables.ts";

/** The alias of the table that a statement writes, or of the function that it calls. */
export const target = sql.identifier(Symbol("target"));

type Row = Record<string, unknown>;

/** What a root field of a mutation writes. */
export interface Write {
  /** The root field. */
  action: string;
  table: string;
  primaryKey: readonly string[];
  args: unknown;
}

/** A statement that returns the rows that it writes. */
export interface WritingQuery extends PgClientQuery {
  writes: Write;
}

/**
 * Creates a step that runs a statement in the request's transaction.
 * @param action the name of the root field
 * @param buildStatement builds the statement from the field's arguments. It must return readableColumns(table): `returning *`
 * would need grants on the secret columns.
 * @returns a step for the rows that the statement wrote
 */
export function writtenRows<Arguments>(
  action: string,
  table: Table,
  $arguments: Step<Arguments>,
  buildStatement: (args: Arguments) => SQL,
): WrittenRowsStep {
  const $rows = sideEffectWithPgClientTransaction(
    table.resource.executor,
    $arguments,
    async (client: PgClient, args: Arguments): Promise<Row[]> => {
      const { text, values } = sql.compile(buildStatement(args));
      const { name, primaryKey } = table;
      const query: WritingQuery = { text, values, writes: { action, table: name, primaryKey, args } };
      const { rows } = await client.query<Row>(query);
      return rows.map((row) => decodeRow(table.readable, row));
    },
  );
  return new WrittenRowsStep($rows);
}

/** The select list of the columns that the role may read, with PostGraphile's casts. */
export const readableColumns = ({ readable }: Table): SQL =>
  sql.join(
    readable.map(({ name, codec, notNull }) => {
      const value = column(target, name);
      const text = codec.castFromPg ? codec.castFromPg(value, notNull) : sql`${value}::text`;
      return sql`${text} as ${sql.identifier(name)}`;
    }),
    ", ",
  );

function decodeRow(columns: Column[], row: Row): Row {
  const decode = (codec: PgCodec, text: unknown): unknown => (text === null ? null : (codec.fromPg(text) as unknown));
  return Object.fromEntries(columns.map(({ name, codec }) => [name, decode(codec, row[name])]));
}

/** A list of written rows. PostGraphile's fields read each item as they read a selected row. */
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

/** Lets the type of a table resolve WrittenRowStep, which PostGraphile's own assertion does not accept. */
export const writtenRowTypes: GraphileConfig.Plugin = {
  name: "LatchkeyWrittenRows",
  schema: {
    hooks: {
      GraphQLObjectType(type, _build, { scope }) {
        if (!scope.isPgClassType) return type;
        const assertStep = ($step: Step) => {
          if (!($step instanceof WrittenRowStep)) assertPgClassSingleStep($step);
        };
        return { ...type, assertStep } as typeof type;
      },
    },
  },
};
