import { sql, type SQL } from "postgraphile/pg-sql2";
import { column, comparable, typeOf, type Column } from "./columns.ts";
import { type Table } from "./tables.ts";

interface AggregateFunction {
  appliesTo: (column: Column) => boolean;
  /** The scalar of its result. */
  scalar: (column: Column) => string;
  toSql: (value: SQL) => SQL;
}

const integers = new Set(["int2", "int4"]);
const numbers = new Set([...integers, "int8", "float4", "float8", "numeric"]);
/** Types that every version of PostgreSQL can find the largest of. */
const ordered = new Set([
  ...numbers,
  ..."text varchar bpchar citext date time timetz timestamp timestamptz interval money inet oid".split(" "),
]);

export const isNumber = ({ codec }: Column): boolean => numbers.has(typeOf(codec));
const isOrdered = ({ codec }: Column): boolean => codec.arrayOfCodec === undefined && ordered.has(typeOf(codec));

const ofFloat = (name: string): AggregateFunction => ({
  appliesTo: isNumber,
  scalar: () => "Float",
  toSql: (value) => sql`${sql.identifier("pg_catalog", name)}(${value})::float8`,
});
const ofOrdered = (name: SQL): AggregateFunction => ({
  appliesTo: isOrdered,
  scalar: ({ scalar }) => scalar,
  toSql: (value) => sql`${name}(${value})`,
});

/** By their names in `aggregate { … }` and in `order_by`. A sum of integers may be too large for one. */
export const aggregateFunctions: Record<string, AggregateFunction> = {
  sum: {
    appliesTo: isNumber,
    scalar: ({ codec, scalar }) => (integers.has(typeOf(codec)) ? "Float" : scalar),
    toSql: (value) => sql`sum(${value})`,
  },
  avg: ofFloat("avg"),
  max: ofOrdered(sql`max`),
  min: ofOrdered(sql`min`),
  ...Object.fromEntries(
    ["stddev", "stddev_pop", "stddev_samp", "var_pop", "var_samp", "variance"].map((name) => [name, ofFloat(name)]),
  ),
};

/** The functions that a table has columns for, with these columns. */
export const aggregatesOf = ({ readable }: Table): [name: string, fn: AggregateFunction, columns: Column[]][] =>
  Object.entries(aggregateFunctions).flatMap(([name, fn]) => {
    const columns = comparable(readable).filter(fn.appliesTo);
    return columns.length > 0 ? [[name, fn, columns] as [string, AggregateFunction, Column[]]] : [];
  });

interface CountArguments {
  columns?: readonly string[] | null | undefined;
  distinct?: boolean | null | undefined;
}

/** count(columns: [user_id], distinct: true) */
export function countedColumns({ readable }: Table, { columns }: CountArguments): Column[] {
  return (columns ?? []).flatMap((name) => readable.filter((each) => each.name === name));
}

/** @param valueOf the value of a column of the rows */
export function countSql(table: Table, args: CountArguments, valueOf?: (counted: Column) => SQL): (alias: SQL) => SQL {
  const columns = countedColumns(table, args);
  return (alias) => {
    if (columns.length === 0) return sql`count(*)`;
    const values = sql.join(columns.map(valueOf ?? ((each) => column(alias, each))), ", ");
    const value = columns.length === 1 ? values : sql`(${values})`;
    return args.distinct ? sql`count(distinct ${value})` : sql`count(${value})`;
  };
}
