import { listOfCodec } from "postgraphile/@dataplan/pg";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { Refusal } from "../engine/refusal.ts";
import { column, comparable, parameter, type Column, type Relation, type Table } from "./tables.ts";

export type Where = Record<string, unknown>;

/** A comparison: the column on the left, one value, or the list of them, on the right. */
type Operator = (left: SQL, value: unknown, { codec }: Column) => SQL;

const binary =
  (operator: SQL): Operator =>
  (left, value, { codec }) =>
    sql`${left} ${operator} ${parameter(codec, value)}`;

/** Of the columns that can be compared: an array cannot. */
type ScalarCodec = Column["codec"] & { arrayOfCodec?: never };

/** One parameter, so that the text of the statement does not grow with the list. */
const oneOf: Operator = (left, values, { codec }) =>
  sql`${left} = any(${parameter(listOfCodec(codec as ScalarCodec), values)})`;

export const operators: Record<string, Operator> = {
  _eq: binary(sql`=`),
  _neq: binary(sql`<>`),
  _gt: binary(sql`>`),
  _gte: binary(sql`>=`),
  _lt: binary(sql`<`),
  _lte: binary(sql`<=`),
  _in: oneOf,
  _nin: (left, values, table) => sql`not (${oneOf(left, values, table)})`,
  _is_null: (left, value) => (value === true ? sql`${left} is null` : sql`${left} is not null`),
};

/** For text only. */
export const textOperators: Record<string, Operator> = {
  _like: binary(sql`like`),
  _nlike: binary(sql`not like`),
  _ilike: binary(sql`ilike`),
  _nilike: binary(sql`not ilike`),
};

/** Operators whose value is a list that counts by its length. */
export const valueLists = new Set(["_in", "_nin"]);

/** Whether a field is a condition through a relation, by its name, its type and the input type that it belongs to. */
export const isRelationCondition = (name: string, type: string, parent: string): boolean =>
  isCondition(parent) && isCondition(type) && !["_and", "_or", "_not"].includes(name);

const isCondition = (type: string): boolean => type.endsWith("_bool_exp");

/** A where argument as SQL: what stands side by side must all hold. Values become bind parameters, names are the schema's. */
export function whereSql(table: Table, alias: SQL, where: Where): SQL {
  return allOf(given(where).map(([key, value]) => partSql(table, alias, key, value)));
}

function partSql(table: Table, alias: SQL, key: string, value: unknown): SQL {
  // Null is no condition: who passes a variable that is null by mistake must not change every row there is.
  if (value === null) throw new Refusal("validation-failed", `where: ${key} must not be null.`);
  if (key === "_and") return allOf(list(value).map((part) => whereSql(table, alias, part)));
  if (key === "_or") return anyOf(list(value).map((part) => whereSql(table, alias, part)));
  if (key === "_not") return sql`not (${whereSql(table, alias, value as Where)})`;
  const found = comparable(table.readable).find(({ name }) => name === key);
  if (found) return comparisonSql(column(alias, key), found, value as Where);
  const relation = table.relations.find(({ name }) => name === key);
  if (relation) return relatedSql(alias, relation, value as Where);
  throw new Error(`where: ${key} is not in the schema`);
}

function comparisonSql(left: SQL, compared: Column, comparison: Where): SQL {
  const { name } = compared;
  const parts = given(comparison).map(([key, value]) => {
    const operator = operators[key] ?? textOperators[key];
    if (operator === undefined) throw new Error(`where: ${name}.${key} is not in the schema`);
    if (value === null || (Array.isArray(value) && value.includes(null)))
      throw new Refusal("validation-failed", `where: ${name}.${key} must not be null; there is _is_null.`);
    return operator(left, value, compared);
  });
  // A variable that was left out leaves nothing behind: an update or a delete would then meet every row.
  if (parts.length === 0)
    throw new Refusal("validation-failed", `where: ${name} must be compared with something.`);
  return allOf(parts);
}

/**
 * The admin's conditions are "exists", which PostgreSQL joins, because they meet whole tables; limits.ts bounds their number. Planning
 * joins takes time and memory exponential in that number, and no time-out ends it, so guests' and users' are never joined: inside
 * coalesce there is nothing to join. As "in" of a query that depends on nothing around it, each condition is looked up once for the
 * statement, in the few rows that row-level security leaves, and not again for each row around it.
 */
function relatedSql(alias: SQL, { remote, localColumns, remoteColumns }: Relation, where: Where): SQL {
  const table = remote();
  const other = sql.identifier(Symbol(table.name));
  const own = localColumns.map((name) => column(alias, name));
  const others = remoteColumns.map((name) => column(other, name));
  const condition = whereSql(table, other, where);
  if (!table.joinConditions)
    return sql`coalesce((${commas(own)}) in (select ${commas(others)} from ${table.from} as ${other} where ${condition}), false)`;
  const joined = own.map((name, index) => sql`${name} = ${others[index] ?? sql.null}`);
  return sql`exists (select from ${table.from} as ${other} where ${allOf([...joined, condition])})`;
}

const commas = (parts: SQL[]): SQL => sql.join(parts, ", ");

/** A variable that was not given is as good as not written. */
const given = (where: Where): [string, unknown][] =>
  Object.entries(where).filter(([, value]) => value !== undefined);

const list = (value: unknown): Where[] => {
  const parts = value as (Where | null)[];
  return parts.filter((part) => part !== null);
};

const allOf = (parts: SQL[]): SQL => (parts.length === 0 ? sql`true` : sql`(${sql.join(parts, ") and (")})`);
const anyOf = (parts: SQL[]): SQL => (parts.length === 0 ? sql`false` : sql`(${sql.join(parts, ") or (")})`);
