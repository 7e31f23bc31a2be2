import { sql, type SQL } from "postgraphile/pg-sql2";
import { Refusal } from "../refusal.ts";
import { aggregateSql, type PredicateArguments } from "./aggregate_predicates.ts";
import { operatorsOf } from "./operators.ts";
import { column, comparable, textCodec, type Column } from "./columns.ts";
import { type Relation, type Table } from "./tables.ts";

export type Where = Record<string, unknown>;

/**
 * Whether an input field leads through a relation: by its name, its type and the input type that contains it. In `where`
 * and in `order_by`, of rows and of their aggregates.
 */
export const isRelationCondition = (name: string, type: string, parentType: string): boolean =>
  (parentType.endsWith("_bool_exp") && type.endsWith("_bool_exp") && !["_and", "_or", "_not"].includes(name)) ||
  (parentType.endsWith("_order_by") && type.endsWith("_order_by") && !parentType.endsWith("_aggregate_order_by"));

/**
 * Converts a `where` argument to SQL, as the conjunction of its fields. Values become bind parameters; names come from
 * the schema.
 * @throws Refusal (validation-failed) for a comparison with null, or without an operator
 */
export function whereSql(table: Table, alias: SQL, where: Where): SQL {
  return allOf(definedEntries(where).map(([key, value]) => fieldSql(table, alias, key, value)));
}

function fieldSql(table: Table, alias: SQL, key: string, value: unknown): SQL {
  // A variable that is null by mistake must not make an update or delete affect all rows.
  if (value === null) throw new Refusal("validation-failed", `where: ${key} must not be null.`);
  if (key === "_and") return allOf(toList(value).map((item) => whereSql(table, alias, item)));
  if (key === "_or") return anyOf(toList(value).map((item) => whereSql(table, alias, item)));
  if (key === "_not") return sql`not (${whereSql(table, alias, value as Where)})`;
  const compared = comparable(table.readable).find(({ name }) => name === key);
  if (compared) return comparisonSql(column(alias, compared), compared, value as Where);
  const relation = table.relations.find(({ name }) => name === key);
  if (relation) return relationSql(alias, relation, value as Where);
  const aggregated = table.relations.find(({ name }) => `${name}_aggregate` === key);
  if (aggregated) return aggregatePredicateSql(alias, aggregated, value as Where);
  throw new Error(`where: ${key} is not in the schema`);
}

function comparisonSql(left: SQL, compared: Pick<Column, "name" | "codec" | "scalar">, comparison: Where): SQL {
  const { name, codec, scalar } = compared;
  const operators = operatorsOf(codec, scalar);
  const parts = definedEntries(comparison).map(([key, value]) => {
    const operator = operators[key];
    if (operator === undefined) throw new Error(`where: ${name}.${key} is not in the schema`);
    if (value === null || (Array.isArray(value) && operator.operand !== "value" && value.includes(null)))
      throw new Refusal("validation-failed", `where: ${name}.${key} must not be null: use _is_null.`);
    return key === "_cast" ? castSql(left, name, value as Where) : operator.toSql(left, value, codec);
  });
  // A missing variable leaves no operator behind: an update or delete must not affect all rows then.
  if (parts.length === 0) throw new Refusal("validation-failed", `where: ${name} needs an operator with a value.`);
  return allOf(parts);
}

/** {value: {_cast: {String: {_like: "%console%"}}}} */
function castSql(left: SQL, name: string, { String: comparison }: Where): SQL {
  if (!comparison) throw new Refusal("validation-failed", `where: ${name}._cast needs a comparison of String.`);
  const text = { name: `${name}._cast.String`, codec: textCodec, scalar: "String" };
  return comparisonSql(sql`(${left})::text`, text, comparison as Where);
}

/** The condition that rows of the relation belong to this one. */
export const belongsTo = (alias: SQL, remoteAlias: SQL, { localColumns, remoteColumns }: Relation): SQL =>
  allOf(
    localColumns.map(
      (name, index) =>
        sql`${alias}.${sql.identifier(name)} = ${remoteAlias}.${sql.identifier(remoteColumns[index] ?? "")}`,
    ),
  );

/**
 * Planning joins takes time and memory exponential in their number, and no time-out interrupts it. So conditions of
 * guests and users are never joined: `in` inside `coalesce` becomes a hashed subplan, which runs once for the
 * statement, over the few rows that row-level security leaves. The admin's conditions cover whole tables: `exists` lets
 * PostgreSQL join them.
 */
function relationSql(alias: SQL, relation: Relation, where: Where): SQL {
  const table = relation.remote();
  const remoteAlias = sql.identifier(Symbol(table.name));
  const condition = whereSql(table, remoteAlias, where);
  if (table.joinConditions)
    return sql`exists (select from ${table.from} as ${remoteAlias} where ${allOf([belongsTo(alias, remoteAlias, relation), condition])})`;
  const keys = (of: SQL, names: readonly string[]) =>
    sql.join(
      names.map((name) => sql`${of}.${sql.identifier(name)}`),
      ", ",
    );
  return sql`coalesce((${keys(alias, relation.localColumns)}) in (select ${keys(remoteAlias, relation.remoteColumns)} from ${table.from} as ${remoteAlias} where ${condition}), false)`;
}

/**
 * {sessions_aggregate: {count: {predicate: {_gt: 1}, arguments: [id], distinct: true, filter: {…}}}}. One function, as in
 * Hasura: each is a subquery, and the limit of conditions through relations counts one.
 */
function aggregatePredicateSql(alias: SQL, relation: Relation, functions: Where): SQL {
  const table = relation.remote();
  const [[name, called] = [], ...others] = definedEntries(functions);
  if (!name || !called || others.length > 0)
    throw new Refusal("validation-failed", `where: ${relation.name}_aggregate needs one function, such as count.`);
  const { predicate, filter, arguments: args, distinct } = called as Where;
  const remoteAlias = sql.identifier(Symbol(table.name));
  const conditions = [
    belongsTo(alias, remoteAlias, relation),
    ...(filter ? [whereSql(table, remoteAlias, filter as Where)] : []),
  ];
  const call = { name, args: args as PredicateArguments, distinct: distinct === true };
  const { value, ...compared } = aggregateSql(table, remoteAlias, call);
  const left = sql`(select ${value} from ${table.from} as ${remoteAlias} where ${allOf(conditions)})`;
  return comparisonSql(left, { ...compared, name: `${relation.name}_aggregate.${name}.predicate` }, predicate as Where);
}

/** Ignores fields whose variable is missing, as GraphQL does. */
const definedEntries = (where: Where): [string, unknown][] =>
  Object.entries(where).filter(([, value]) => value !== undefined);

const toList = (value: unknown): Where[] => (value as (Where | null)[]).filter((item) => item !== null);

export const allOf = (parts: SQL[]): SQL => (parts.length === 0 ? sql`true` : sql`(${sql.join(parts, ") and (")})`);
const anyOf = (parts: SQL[]): SQL => (parts.length === 0 ? sql`false` : sql`(${sql.join(parts, ") or (")})`);
