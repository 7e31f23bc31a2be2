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
  isOwn: boolean;
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
 * @param buildStatement builds the statement from the field's arguments and the select list of what it returns
 * @returns a step for the rows that the statement wrote
 */
export function writtenRows<Arguments>(
  action: string,
  table: Table,
  $arguments: Step<Arguments>,
  buildStatement: (args: Arguments, returned: SQL) => SQL,
): WrittenRowsStep {
  // Others may be secret, or not granted to this one of the audience's roles. The log of the admin's changes has keys.
  const requested = new Set<string>(table.joinConditions ? table.primaryKey.map(({ sqlName }) => sqlName) : []);
  const $rows = sideEffectWithPgClientTransaction(
    table.resource.executor,
    $arguments,
    async (client: PgClient, args: Arguments): Promise<Row[]> => {
      const columns = table.readable.filter(({ sqlName }) => requested.has(sqlName));
      const { text, values } = sql.compile(buildStatement(args, selectList(columns)));
      const { name, isOwn } = table;
      const primaryKey = table.primaryKey.map(({ sqlName }) => sqlName);
      const query: WritingQuery = { text, values, writes: { action, table: name, isOwn, primaryKey, args } };
      const { rows } = await client.query<Row>(query);
      return rows.map((row) => decodeRow(columns, row));
    },
  );
  return new WrittenRowsStep($rows, requested);
}

/** The select list of columns, with PostGraphile's casts. */
const selectList = (columns: Column[]): SQL =>
  columns.length === 0
    ? sql`true`
    : sql.join(
        columns.map(({ sqlName, codec, notNull }) => {
          const value = column(target, sqlName);
          const text = codec.castFromPg ? codec.castFromPg(value, notNull) : sql`${value}::text`;
          return sql`${text} as ${sql.identifier(sqlName)}`;
        }),
        ", ",
      );

function decodeRow(columns: Column[], row: Row): Row {
  const decode = (codec: PgCodec, text: unknown): unknown => (text === null ? null : (codec.fromPg(text) as unknown));
  return Object.fromEntries(columns.map(({ sqlName, codec }) => [sqlName, decode(codec, row[sqlName])]));
}

/** A list of written rows. PostGraphile's fields read each item as they read a selected row. */
export class WrittenRowsStep extends Step<Row[]> {
  static override $$export = { moduleName: "latchkey", exportName: "WrittenRowsStep" };
  private readonly requested: Set<string>;
  /** @param requested the columns that fields read, for the statement to return */
  constructor($rows: Step<Row[]>, requested: Set<string>) {
    super();
    this.requested = requested;
    this.addDependency($rows);
    this.isSyncAndSafe = true;
  }
  listItem($row: Step<Row>): WrittenRowStep {
    return new WrittenRowStep($row, this.requested);
  }
  first(): WrittenRowStep {
    return new WrittenRowStep(access(this, 0), this.requested);
  }
  override execute({ values: [rows], indexMap }: ExecutionDetails<[Row[]]>): GrafastResultsList<Row[]> {
    return indexMap((index) => rows.at(index));
  }
}

export class WrittenRowStep extends Step<Row> {
  static override $$export = { moduleName: "latchkey", exportName: "WrittenRowStep" };
  private readonly requested: Set<string>;
  constructor($row: Step<Row>, requested: Set<string>) {
    super();
    this.requested = requested;
    this.addDependency($row);
    this.isSyncAndSafe = true;
  }
  get(name: string): Step {
    this.requested.add(name);
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
