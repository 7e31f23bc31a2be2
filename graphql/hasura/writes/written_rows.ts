import type { PgClient, PgClientQuery, PgCodec } from "postgraphile/@dataplan/pg";
import { assertPgClassSingleStep, sideEffectWithPgClientTransaction } from "postgraphile/@dataplan/pg";
import { access, Step, type ExecutionDetails, type GrafastResultsList } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { column, type Column } from "../columns.ts";
import { type Table } from "../tables.ts";

/** The alias of the table that a statement writes, or of the function that it calls. */
export const target = sql.identifier(Symbol("target"));

type Row = Record<string, unknown>;

/** What a root field of a mutation writes. */
export interface WriteOfField {
  /** The root field. */
  action: string;
  table: string;
  isOwn: boolean;
  primaryKey: readonly string[];
  args: unknown;
}

/** A statement that returns the rows that it writes. */
export interface WritingQuery extends PgClientQuery {
  writes: WriteOfField;
}

/** Rows that were written, and how many with those of nested inserts. */
export type WrittenRows = Row[] & { affected: number };

/** Runs one statement. @param returned names of the columns that it returns */
export async function writeRows(
  client: PgClient,
  { action, table, args }: { action: string; table: Table; args: unknown },
  returned: ReadonlySet<string>,
  buildStatement: (selectList: SQL) => SQL,
): Promise<WrittenRows> {
  const columns = table.readable.filter(({ sqlName }) => returned.has(sqlName));
  const { text, values } = sql.compile(buildStatement(selectList(columns)));
  const { name, isOwn } = table;
  const primaryKey = table.primaryKey.map(({ sqlName }) => sqlName);
  const query: WritingQuery = { text, values, writes: { action, table: name, isOwn, primaryKey, args } };
  const { rows } = await client.query<Row>(query);
  const decoded = rows.map((row) => decodeRow(columns, row));
  return Object.assign(decoded, { affected: decoded.length });
}

/** Writes rows. @param returned names of the columns that the rows must have */
export type Write<Arguments, Result> = (
  client: PgClient,
  args: Arguments,
  returned: ReadonlySet<string>,
) => Promise<Result>;

/**
 * Creates a step that writes in the request's transaction.
 * @returns the step's result, and the names of the columns to return: fields add theirs
 */
function writing<Arguments, Result>(table: Table, $arguments: Step<Arguments>, write: Write<Arguments, Result>) {
  // Others may be secret, or not granted to this one of the audience's roles. The log of the admin's changes has keys.
  const requested = new Set<string>(table.joinConditions ? table.primaryKey.map(({ sqlName }) => sqlName) : []);
  const $result = sideEffectWithPgClientTransaction(
    table.resource.executor,
    $arguments,
    (client: PgClient, args: Arguments) => write(client, args, requested),
  ) as Step<Result>;
  return { $result, requested };
}

/** A step for the rows that one field writes. */
export function writtenRows<Arguments>(
  table: Table,
  $arguments: Step<Arguments>,
  write: Write<Arguments, WrittenRows>,
): WrittenRowsStep {
  const { $result, requested } = writing(table, $arguments, write);
  return new WrittenRowsStep($result, requested);
}

/** A step for several lists of rows that one field writes. */
export function writtenLists<Arguments>(
  table: Table,
  $arguments: Step<Arguments>,
  write: Write<Arguments, WrittenRows[]>,
): WrittenListsStep {
  const { $result, requested } = writing(table, $arguments, write);
  return new WrittenListsStep($result, requested);
}

/** The select list of columns, with PostGraphile's casts. */
const selectList = (columns: Column[]): SQL =>
  columns.length === 0
    ? sql`true`
    : sql.join(
        columns.map((each) => {
          const { sqlName, codec, notNull } = each;
          const value = column(target, each);
          const text = codec.castFromPg ? codec.castFromPg(value, notNull) : sql`${value}::text`;
          return sql`${text} as ${sql.identifier(sqlName)}`;
        }),
        ", ",
      );

function decodeRow(columns: Column[], row: Row): Row {
  const decode = (codec: PgCodec, text: unknown): unknown => (text === null ? null : (codec.fromPg(text) as unknown));
  return Object.fromEntries(columns.map(({ sqlName, codec }) => [sqlName, decode(codec, row[sqlName])]));
}

/** A value of a write, and the names of the columns that fields read. */
abstract class WrittenStep<Value> extends Step<Value> {
  protected readonly requested: Set<string>;
  constructor($value: Step<Value>, requested: Set<string>) {
    super();
    this.requested = requested;
    this.addDependency($value);
    this.isSyncAndSafe = true;
  }
  override execute({ values: [value], indexMap }: ExecutionDetails<[Value]>): GrafastResultsList<Value> {
    return indexMap((index) => value.at(index));
  }
}

/** A list of written rows. PostGraphile's fields read each item as they read a selected row. */
export class WrittenRowsStep extends WrittenStep<WrittenRows> {
  static override $$export = { moduleName: "latchkey", exportName: "WrittenRowsStep" };
  listItem($row: Step<Row>): WrittenRowStep {
    return new WrittenRowStep($row, this.requested);
  }
  first(): WrittenRowStep {
    return new WrittenRowStep(access(this, 0), this.requested);
  }
}

class WrittenListsStep extends WrittenStep<WrittenRows[]> {
  static override $$export = { moduleName: "latchkey", exportName: "WrittenListsStep" };
  listItem($rows: Step<WrittenRows>): WrittenRowsStep {
    return new WrittenRowsStep($rows, this.requested);
  }
}

export class WrittenRowStep extends WrittenStep<Row> {
  static override $$export = { moduleName: "latchkey", exportName: "WrittenRowStep" };
  get(name: string): Step {
    this.requested.add(name);
    return access(this, name);
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
