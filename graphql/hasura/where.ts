import type { GraphQLInputType } from "postgraphile/graphql";
import { listOfCodec } from "postgraphile/@dataplan/pg";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { Refusal } from "../refusal.ts";
import { column, comparable, parameter, tablesOf, type Column, type Relation, type Table } from "./tables.ts";

export type Where = Record<string, unknown>;

/** @param left the column @param value the operand: one value, or a list for _in and _nin */
type Operator = (left: SQL, value: unknown, { codec }: Column) => SQL;

const binary =
  (operator: SQL): Operator =>
  (left, value, { codec }) =>
    sql`${left} ${operator} ${parameter(codec, value)}`;

/** The codec of a column that is no array: only those can be compared. */
type ScalarCodec = Column["codec"] & { arrayOfCodec?: never };

/** Binds the list as one parameter, so that the statement's text does not depend on its length. */
const isIn: Operator = (left, values, { codec }) =>
  sql`${left} = any(${parameter(listOfCodec(codec as ScalarCodec), values)})`;

export const operators: Record<string, Operator> = {
  _eq: binary(sql`=`),
  _neq: binary(sql`<>`),
  _gt: binary(sql`>`),
  _gte: binary(sql`>=`),
  _lt: binary(sql`<`),
  _lte: binary(sql`<=`),
  _in: isIn,
  _nin: (left, values, table) => sql`not (${isIn(left, values, table)})`,
  _is_null: (left, value) => (value === true ? sql`${left} is null` : sql`${left} is not null`),
};

/** Operators of text columns only. */
export const textOperators: Record<string, Operator> = {
  _like: binary(sql`like`),
  _nlike: binary(sql`not like`),
  _ilike: binary(sql`ilike`),
  _nilike: binary(sql`not ilike`),
};

/** Operators whose operand is a list of values. */
export const listOperators = new Set(["_in", "_nin"]);

/**
 * Whether an input field is a condition through a relation: by its name, its type and the input type that contains it.
 */
export const isRelationCondition = (name: string, type: string, parentType: string): boolean =>
  isBoolExp(parentType) && isBoolExp(type) && !["_and", "_or", "_not"].includes(name);

const isBoolExp = (type: string): boolean => type.endsWith("_bool_exp");

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
  if (compared) return comparisonSql(column(alias, compared.sqlName), compared, value as Where);
  const relation = table.relations.find(({ name }) => name === key);
  if (relation) return relationSql(alias, relation, value as Where);
  throw new Error(`where: ${key} is not in the schema`);
}

function comparisonSql(left: SQL, compared: Column, comparison: Where): SQL {
  const { name } = compared;
  const parts = definedEntries(comparison).map(([key, value]) => {
    const operator = operators[key] ?? textOperators[key];
    if (operator === undefined) throw new Error(`where: ${name}.${key} is not in the schema`);
    if (value === null || (Array.isArray(value) && value.includes(null)))
      throw new Refusal("validation-failed", `where: ${name}.${key} must not be null: use _is_null.`);
    return operator(left, value, compared);
  });
  // A missing variable leaves no operator behind: an update or delete must not affect all rows then.
  if (parts.length === 0) throw new Refusal("validation-failed", `where: ${name} needs an operator with a value.`);
  return allOf(parts);
}

/**
 * Planning joins takes time and memory exponential in their number, and no time-out interrupts it. So conditions of
 * guests and users are never joined: `in` inside `coalesce` becomes a hashed subplan, which runs once for the
 * statement, over the few rows that row-level security leaves. The admin's conditions cover whole tables: `exists` lets
 * PostgreSQL join them.
 */
function relationSql(alias: SQL, { remote, localColumns, remoteColumns }: Relation, where: Where): SQL {
  const table = remote();
  const remoteAlias = sql.identifier(Symbol(table.name));
  const localKey = localColumns.map((name) => column(alias, name));
  const remoteKey = remoteColumns.map((name) => column(remoteAlias, name));
  const condition = whereSql(table, remoteAlias, where);
  if (!table.joinConditions)
    return sql`coalesce((${commaList(localKey)}) in (select ${commaList(remoteKey)} from ${table.from} as ${remoteAlias} where ${condition}), false)`;
  const keysMatch = localKey.map((name, index) => sql`${name} = ${remoteKey[index] ?? sql.null}`);
  return sql`exists (select from ${table.from} as ${remoteAlias} where ${allOf([...keysMatch, condition])})`;
}

const commaList = (parts: SQL[]): SQL => sql.join(parts, ", ");

/** Ignores fields whose variable is missing, as GraphQL does. */
const definedEntries = (where: Where): [string, unknown][] =>
  Object.entries(where).filter(([, value]) => value !== undefined);

const toList = (value: unknown): Where[] => (value as (Where | null)[]).filter((item) => item !== null);

const allOf = (parts: SQL[]): SQL => (parts.length === 0 ? sql`true` : sql`(${sql.join(parts, ") and (")})`);
const anyOf = (parts: SQL[]): SQL => (parts.length === 0 ? sql`false` : sql`(${sql.join(parts, ") or (")})`);

/** Registers the types of `where`: user_session_bool_exp for each table, uuid_comparison_exp for each scalar. */
export const where: GraphileConfig.Plugin = {
  name: "LatchkeyWhere",
  schema: {
    hooks: {
      init: {
        // These plugins name the scalars.
        after: ["PgCodecs", "PgTablesPlugin"],
        callback(_, build) {
          const scalars = new Map<string, Column>();
          for (const table of tablesOf(build)) {
            for (const column of comparable(table.readable)) scalars.set(scalarName(build, column), column);
            build.registerInputObjectType(
              `${table.name}_bool_exp`,
              {},
              () => ({ fields: () => boolExpFields(build, table.name) }),
              "the where argument",
            );
          }
          for (const [name, column] of scalars) {
            build.registerInputObjectType(
              `${name}_comparison_exp`,
              {},
              () => ({ fields: () => comparisonFields(build, name, column) }),
              "the where argument",
            );
          }
          return _;
        },
      },
    },
  },
};

function boolExpFields(build: GraphileBuild.Build, tableName: string) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const table = tablesOf(build).find(({ name }) => name === tableName);
  if (!table) throw new Error(`the schema has no table ${tableName}`);
  const type = (name: string) => ({ type: build.getInputTypeByName(name) });
  const boolExp = type(`${table.name}_bool_exp`);
  const boolExps = { type: new GraphQLList(new GraphQLNonNull(boolExp.type)) };
  return {
    _and: boolExps,
    _or: boolExps,
    _not: boolExp,
    ...Object.fromEntries(
      comparable(table.readable).map((column) => [column.name, type(`${scalarName(build, column)}_comparison_exp`)]),
    ),
    ...Object.fromEntries(table.relations.map(({ name, remote }) => [name, type(`${remote().name}_bool_exp`)])),
  };
}

function comparisonFields(build: GraphileBuild.Build, name: string, { codec }: Column) {
  const { GraphQLBoolean, GraphQLList, GraphQLNonNull } = build.graphql;
  const scalar = build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType;
  const list = new GraphQLList(new GraphQLNonNull(scalar));
  const otherTypes: Record<string, GraphQLInputType> = { _in: list, _nin: list, _is_null: GraphQLBoolean };
  const names = [...Object.keys(operators), ...(name === "String" ? Object.keys(textOperators) : [])];
  return Object.fromEntries(names.map((operator) => [operator, { type: otherTypes[operator] ?? scalar }]));
}

function scalarName(build: GraphileBuild.Build, { codec, name }: Column): string {
  const typeName = build.getGraphQLTypeNameByPgCodec(codec, "input");
  if (!typeName) throw new Error(`column ${name} has no GraphQL type`);
  return typeName;
}
