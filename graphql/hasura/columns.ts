import type { PgCodec, PgResource } from "postgraphile/@dataplan/pg";
import { sql, type SQL } from "postgraphile/pg-sql2";

export interface Column {
  /** In GraphQL: the database's name, unless a comment renames the column. */
  name: string;
  sqlName: string;
  /** The function of a computed field, which takes the row. */
  call?: SQL;
  codec: PgCodec;
  /** The name of its scalar; of its items' for an array. */
  readonly scalar: string;
  notNull: boolean;
}

/** The functions that the audience may execute, but for those whose arguments have no names. */
export const functionsOf = ({ input }: GraphileBuild.Build): PgResource[] =>
  (Object.values(input.pgRegistry.pgResources) as PgResource[]).filter(
    ({ parameters, extensions }) => parameters?.every(({ name }) => name) === true && extensions?.canExecute === true,
  );

/**
 * Functions that take a row and return a value: note_title(note) is the field `title`. PostgreSQL requires the right to
 * select all columns of the row.
 */
export const computedColumns = (build: GraphileBuild.Build, { codec, extensions }: PgResource): Column[] =>
  functionsOf(build)
    .filter(
      ({ isMutation, isUnique, parameters: [row, ...others] = [], codec: result }) =>
        !isMutation &&
        isUnique &&
        row?.codec === codec &&
        others.every(({ optional }) => optional) &&
        !result.attributes,
    )
    .map((fn) => {
      const { schemaName, name: sqlName = "" } = fn.extensions?.pg ?? {};
      const name: unknown = fn.extensions?.tags?.name ?? sqlName.replace(new RegExp(`^${extensions?.pg?.name}_`), "");
      return {
        name: String(name).replace(/\W/g, "_"),
        sqlName: String(name),
        call: sql.identifier(String(schemaName), sqlName),
        codec: fn.codec,
        get scalar() {
          return scalarOf(build, fn.codec);
        },
        notNull: false,
      };
    });

export function scalarOf(build: GraphileBuild.Build, codec: PgCodec): string {
  const name = build.getGraphQLTypeNameByPgCodec((codec.arrayOfCodec as PgCodec | undefined) ?? codec, "input");
  if (!name) throw new Error(`the type ${codec.name} has no scalar`);
  return name;
}

/** PostgreSQL's name of a type; of a domain's type. */
export const typeOf = ({ name, domainOfCodec }: PgCodec): string =>
  (domainOfCodec as PgCodec | undefined)?.name ?? name;

/** The columns that `where` takes: no rows, and no arrays of rows. */
export const comparable = (columns: Column[]): Column[] => columns.filter(({ codec }) => !holdsRows(codec));

/** A composite type, a domain over one, or an array of either. */
export function holdsRows({ attributes, arrayOfCodec, domainOfCodec }: PgCodec): boolean {
  const inner = (arrayOfCodec ?? domainOfCodec) as PgCodec | undefined;
  return attributes !== undefined || (inner !== undefined && holdsRows(inner));
}

export const column = (alias: SQL, { sqlName, call }: Pick<Column, "sqlName" | "call">): SQL =>
  call ? sql`${call}(${alias})` : sql`${alias}.${sql.identifier(sqlName)}`;

export const textCodec = {
  name: "text",
  sqlType: sql`text`,
  fromPg: (value: string) => value,
  toPg: (value: string) => value,
  attributes: undefined,
  executor: null,
  extensions: {},
} as unknown as PgCodec;

/** Converts a GraphQL value to a bind parameter of the column's type. Null becomes SQL's null, for jsonb too. */
export const parameter = (codec: PgCodec, value: unknown): SQL =>
  sql`${sql.value(value === null ? null : codec.toPg(value))}::${codec.sqlType}`;
