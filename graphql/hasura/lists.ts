import type { PgSelectQueryBuilder, PgSelectStep } from "postgraphile/@dataplan/pg";
import { lambda, object, type FieldArgs, type Step } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { defaultLimit } from "../request_limits.ts";
import { orderBySpecs, orderBySql, type OrderBy } from "./order_by.ts";
import { relationOf } from "./inflection.ts";
import { column, comparable, type Column } from "./columns.ts";
import { tableOf, rowTypesOf, type Table } from "./tables.ts";
import { allOf, whereSql, type Where } from "./where.ts";

/** The arguments of a list, as GraphQL has coerced them. */
export interface ListArguments {
  where?: Where | null;
  order_by?: OrderBy[] | null;
  distinct_on?: string[] | null;
  limit?: number | null;
  offset?: number | string | null;
}

/**
 * Adds where, order_by, distinct_on, limit and offset to each list, of the root type and of a relation, and makes lists
 * non-null as in Hasura. PostGraphile's own arguments have other names and types, and no default limit.
 */
export const lists: GraphileConfig.Plugin = {
  name: "LatchkeyLists",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field(field, build, { scope }) {
        const { isPgFieldSimpleCollection, pgFieldResource, pgRelationDetails } = scope;
        const { GraphQLNonNull, getNullableType } = build.graphql;
        const table = tableOf(build, pgFieldResource);
        if (!isPgFieldSimpleCollection) return field;
        const type = new GraphQLNonNull(getNullableType(field.type));
        if (!table || !field.plan) return { ...field, type };
        const parts = pgRelationDetails && relationOf(pgRelationDetails).remoteAttributes;
        const inner = field.plan;
        const plan: typeof inner = (parent, args, info) => {
          const $rows = inner(parent, args, info) as unknown as PgSelectStep;
          applyList(table, $rows, args, { parts });
          return $rows as never;
        };
        return { ...field, type, plan };
      },
      GraphQLObjectType_fields_field_args(args, build, { scope }) {
        const table = tableOf(build, scope.pgFieldResource);
        if (!table || !scope.isPgFieldSimpleCollection) return args;
        return build.extend(args, listArguments(build, table), `the list arguments of ${table.name}`);
      },
      init: {
        after: ["PgCodecs"],
        callback(_, build) {
          for (const { name, readable } of rowTypesOf(build))
            build.registerEnumType(
              `${name}_select_column`,
              {},
              () => ({
                values: Object.fromEntries(comparable(readable).map((each) => [each.name, { value: each.name }])),
              }),
              "columns of lists",
            );
          return _;
        },
      },
    },
  },
};

/** @param limit of a list without one */
export function listArguments(build: GraphileBuild.Build, table: Table, limit: number | null = defaultLimit) {
  const { GraphQLInt, GraphQLList, GraphQLNonNull } = build.graphql;
  const type = (ending: string) => build.getInputTypeByName(`${table.name}_${ending}`);
  return {
    where: { type: type("bool_exp") },
    order_by: { type: new GraphQLList(new GraphQLNonNull(type("order_by"))) },
    // Which rows are kept is found by their keys.
    ...(table.primaryKey.length > 0 && {
      distinct_on: { type: new GraphQLList(new GraphQLNonNull(type("select_column"))) },
    }),
    limit: { type: GraphQLInt, ...(limit !== null && { defaultValue: limit }) },
    offset: { type: GraphQLInt },
  };
}

/** The list's arguments as one step. */
export function listOf(table: Table, $args: FieldArgs): Step<ListArguments> {
  const names = ["where", "order_by", "limit", "offset", ...(table.primaryKey.length > 0 ? ["distinct_on"] : [])];
  return object(Object.fromEntries(names.map((name) => [name, $args.getRaw(name)])));
}

interface ListOptions {
  /** Columns of which each value has a list of its own: those of the relation. */
  parts?: readonly string[] | undefined;
  /** The limit of a list without one. */
  fallback?: number | null;
}

export function applyList(
  table: Table,
  $rows: PgSelectStep,
  $args: FieldArgs,
  { parts = [], fallback = defaultLimit }: ListOptions = {},
): void {
  const apply = (list: ListArguments) => (rows: PgSelectQueryBuilder) => {
    const { where, order_by: orderBy, distinct_on: distinctOn } = list;
    if (where) rows.where(whereSql(table, rows.alias, where));
    if (distinctOn && distinctOn.length > 0) rows.where(isFirstSql(table, rows.alias, list, parts));
    for (const spec of orderBySpecs(table, rows.alias, orderBy ?? [])) rows.orderBy(spec);
  };
  $rows.apply(lambda(listOf(table, $args), apply, true));
  $rows.setFirst(lambda($args.getRaw("limit"), (limit: unknown) => limit ?? fallback, true) as never);
  $rows.setOffset($args.getRaw("offset") as never);
}

/** The condition that a row is the first one of those with its values of distinct_on. */
function isFirstSql(table: Table, alias: SQL, list: ListArguments, parts: readonly string[]): SQL {
  const inner = sql.identifier(Symbol(table.name));
  const keys = (of: SQL) => commaList(table.primaryKey.map((key) => column(of, key)));
  return sql`(${keys(alias)}) in (${rowsSql(table, inner, { ...list, limit: null, offset: null }, { select: keys(inner), parts })})`;
}

interface Rows {
  select: SQL;
  /** Columns that come first in distinct_on. */
  parts?: readonly string[];
  condition?: SQL;
}

/** The subquery that selects a list's rows. */
export function rowsSql(table: Table, alias: SQL, list: ListArguments, { select, parts = [], condition }: Rows): SQL {
  const { where, order_by: orderBy, distinct_on: distinctOn, limit, offset } = list;
  const conditions = [...(condition ? [condition] : []), ...(where ? [whereSql(table, alias, where)] : [])];
  const distinct = distinctOn?.map((name) => column(alias, columnOf(table, name))) ?? [];
  const own = parts.map((sqlName) => column(alias, { sqlName }));
  const sorted = [...(distinct.length > 0 ? own : []), ...orderBySql(table, alias, orderBy ?? [])];
  return sql`select ${distinct.length > 0 ? sql`distinct on (${commaList([...own, ...distinct])}) ` : sql``}${select} from ${table.from} as ${alias} where ${allOf(conditions)}${
    sorted.length > 0 ? sql` order by ${commaList(sorted)}` : sql``
  }${limit == null ? sql`` : sql` limit ${sql.value(limit)}::bigint`}${offset == null ? sql`` : sql` offset ${sql.value(offset)}::bigint`}`;
}

const columnOf = ({ readable }: Table, name: string): Column => {
  const found = readable.find((each) => each.name === name);
  if (!found) throw new Error(`${name} is not in the schema`);
  return found;
};

export const commaList = (parts: SQL[]): SQL => sql.join(parts, ", ");
