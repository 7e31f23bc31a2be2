import type { PgSelectQueryBuilder, PgSelectStep } from "postgraphile/@dataplan/pg";
import { lambda, type ConnectionStep, type FieldArg } from "postgraphile/grafast";
import { orderBySpecs, type OrderBy } from "./order_by.ts";
import { defaultLimit } from "../request_limits.ts";
import { tableOf, type Table } from "./tables.ts";
import { whereSql, type Where } from "./where.ts";

type Builder = Pick<PgSelectQueryBuilder, "alias" | "where" | "orderBy">;
type Rows = PgSelectStep | ConnectionStep<unknown, PgSelectStep>;

/**
 * Adds where, order_by, limit and offset to each list, of the root type and of a relation, and makes lists non-null as
 * in Hasura. PostGraphile's own arguments have other names and types, and no default limit.
 */
export const lists: GraphileConfig.Plugin = {
  name: "LatchkeyLists",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field(field, { graphql: { GraphQLNonNull, getNullableType } }, { scope }) {
        if (!scope.isPgFieldSimpleCollection) return field;
        return { ...field, type: new GraphQLNonNull(getNullableType(field.type)) };
      },
      GraphQLObjectType_fields_field_args(args, build, { scope }) {
        const { isPgFieldSimpleCollection, isPgFieldConnection, pgFieldResource } = scope;
        const table = tableOf(build, pgFieldResource);
        if (!table || !(isPgFieldSimpleCollection || isPgFieldConnection)) return args;
        return build.extend(args, argumentsOf(build, table), `the list arguments of ${table.name}`);
      },
    },
  },
};

function argumentsOf(build: GraphileBuild.Build, table: Table) {
  const { GraphQLInt, GraphQLList, GraphQLNonNull } = build.graphql;
  const filter = (where: unknown) => (rows: Builder) => {
    if (where) rows.where(whereSql(table, rows.alias, where as Where));
  };
  const sort = (orderBy: unknown) => (rows: Builder) => {
    for (const spec of orderBySpecs((orderBy ?? []) as OrderBy[])) rows.orderBy(spec);
  };
  return {
    where: {
      type: build.getInputTypeByName(`${table.name}_bool_exp`),
      applyPlan(_: unknown, $rows: Rows, $value: FieldArg) {
        selectOf($rows).apply(lambda($value.getRaw(), filter, true));
      },
    },
    order_by: {
      type: new GraphQLList(new GraphQLNonNull(build.getInputTypeByName(`${table.name}_order_by`))),
      applyPlan(_: unknown, $rows: Rows, $value: FieldArg) {
        selectOf($rows).apply(lambda($value.getRaw(), sort, true));
      },
    },
    limit: {
      type: GraphQLInt,
      defaultValue: defaultLimit,
      applyPlan(_: unknown, $rows: Rows, $value: FieldArg) {
        $rows.setFirst(lambda($value.getRaw(), limitOrDefault, true) as never);
      },
    },
    offset: {
      type: GraphQLInt,
      applyPlan(_: unknown, $rows: Rows, $value: FieldArg) {
        $rows.setOffset($value.getRaw() as never);
      },
    },
  };
}

/** PostgreSQL reads a null limit as no limit. */
const limitOrDefault = (limit: unknown): unknown => limit ?? defaultLimit;

const selectOf = ($rows: Rows): PgSelectStep => ("getSubplan" in $rows ? $rows.getSubplan() : $rows) as PgSelectStep;
