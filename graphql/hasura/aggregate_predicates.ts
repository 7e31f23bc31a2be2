import { sql, type SQL } from "postgraphile/pg-sql2";
import { countSql, isNumber } from "./aggregate_functions.ts";
import { column, comparable, textCodec, typeOf, type Column } from "./columns.ts";
import type { Table } from "./tables.ts";

type Compared = Pick<Column, "codec" | "scalar">;

const codec = (name: string, type: SQL) => ({ ...textCodec, name, sqlType: type, toPg: String });

/** What the results of aggregates are compared as. A count may be beyond GraphQL's Int, and then it is not equal to one. */
export const compared = {
  Int: { codec: codec("int8", sql`int8`), scalar: "Int" },
  Float: { codec: codec("float8", sql`float8`), scalar: "Float" },
  Boolean: { codec: codec("bool", sql`bool`), scalar: "Boolean" },
} as const satisfies Record<string, Compared>;

interface Predicate {
  compared: keyof typeof compared;
  /** Whether it takes a column. */
  takes: (column: Column) => boolean;
  /** The names of its arguments, in SQL's order. Without them it has one argument, or for count a list. */
  parameters?: readonly string[];
}

const ofBooleans: Predicate = { compared: "Boolean", takes: ({ codec: of }) => typeOf(of) === "bool" };
const ofNumbers: Predicate = { compared: "Float", takes: isNumber };
const ofPairs: Predicate = { ...ofNumbers, parameters: ["Y", "X"] };

/**
 * The functions in `where: {notes_aggregate: {avg: {arguments: stars, predicate: {_gt: 2}}}}`: those that Hasura has for
 * PostgreSQL (aggregationFunctions of Backends/Postgres/Instances/Schema.hs in hasura/graphql-engine, checked
 * 2026-11-28). Hasura takes columns of double precision only, we those of every type of numbers.
 */
const predicates: Record<string, Predicate> = {
  count: { compared: "Int", takes: () => true },
  bool_and: ofBooleans,
  bool_or: ofBooleans,
  avg: ofNumbers,
  max: ofNumbers,
  min: ofNumbers,
  sum: ofNumbers,
  stddev_samp: ofNumbers,
  var_samp: ofNumbers,
  corr: ofPairs,
  covar_samp: ofPairs,
};

/** The predicates that a table has columns for, with these columns. */
export const predicatesOf = ({ readable }: Table): [name: string, predicate: Predicate, columns: Column[]][] =>
  Object.entries(predicates).flatMap(([name, predicate]) => {
    const columns = comparable(readable).filter(predicate.takes);
    return columns.length > 0 || name === "count" ? [[name, predicate, columns]] : [];
  });

/** `arguments` as GraphQL has coerced them: columns by their names. */
export type PredicateArguments = string | string[] | Record<string, string> | null | undefined;

interface Call {
  name: string;
  args: PredicateArguments;
  distinct: boolean;
}

/** The aggregate of a predicate over rows, and what it is compared as. */
export function aggregateSql(table: Table, alias: SQL, { name, args, distinct }: Call): Compared & { value: SQL } {
  const predicate = predicates[name];
  if (!predicate) throw new Error(`where: ${name} is not in the schema`);
  const result = compared[predicate.compared];
  if (name === "count")
    return { ...result, value: countSql(table, { columns: args as string[] | null, distinct })(alias) };
  const named = args as Record<string, string>;
  const names = predicate.parameters?.map((parameter) => named[parameter]) ?? [args as string];
  const values = names.map((each) => {
    const found = table.readable.find((candidate) => candidate.name === each);
    if (!found) throw new Error(`where: ${each} is not in the schema`);
    return sql`${column(alias, found)}::${result.codec.sqlType}`;
  });
  return {
    ...result,
    value: sql`${sql.identifier("pg_catalog", name)}(${distinct ? sql`distinct ` : sql``}${sql.join(values, ", ")})`,
  };
}
