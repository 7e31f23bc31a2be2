import { TYPES, type PgCodec } from "postgraphile/@dataplan/pg";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { aggregateFunctions, aggregatesOf } from "./aggregate_functions.ts";
import { isOrdered } from "./operators.ts";
import { column, type Column } from "./columns.ts";
import { rowTypesOf, type Relation, type Table } from "./tables.ts";
import { belongsTo } from "./where.ts";
import { aggregatedTables } from "./where_types.ts";

export interface OrderBy {
  [field: string]: OrderBy | Direction | null | undefined;
}
export type Direction = keyof typeof directions;

/** Converted for PostGraphile's query builder. */
interface Spec {
  fragment: SQL;
  codec: PgCodec;
  direction: "ASC" | "DESC";
  nulls?: "FIRST" | "LAST";
}

/** By default, nulls are last in ascending and first in descending order, as in PostgreSQL and Hasura. */
export const directions = {
  asc: { direction: "ASC" },
  asc_nulls_first: { direction: "ASC", nulls: "FIRST" },
  asc_nulls_last: { direction: "ASC", nulls: "LAST" },
  desc: { direction: "DESC" },
  desc_nulls_first: { direction: "DESC", nulls: "FIRST" },
  desc_nulls_last: { direction: "DESC", nulls: "LAST" },
} as const satisfies Record<string, Omit<Spec, "fragment" | "codec">>;

/**
 * Converts an order_by argument.
 * @param orders objects of one key each, at every level: engine/documents/order_of_columns.ts has split the client's
 */
export const orderBySpecs = (table: Table, alias: SQL, orders: OrderBy[]): Spec[] =>
  orders.flatMap((order) => {
    const [leaf, ...others] = Object.entries(order).filter(([, value]) => value !== undefined);
    if (others.length > 0) throw new Error("order_by: the order of these columns is lost");
    const [name, value] = leaf ?? [];
    if (name === undefined || !value) return [];
    const sorted = table.readable.find((each) => each.name === name);
    if (sorted) return [{ fragment: column(alias, sorted), codec: sorted.codec, ...directions[value as Direction] }];
    const relation = table.relations.find((each) => [each.name, `${each.name}_aggregate`].includes(name));
    if (!relation) throw new Error(`order_by: ${name} is not in the schema`);
    return relationSpecs(alias, relation, name !== relation.name, value as OrderBy);
  });

/** Sorts by a subquery, because a join could change the number of rows, and its planning has no time-out. */
function relationSpecs(alias: SQL, relation: Relation, isAggregate: boolean, order: OrderBy): Spec[] {
  const table = relation.remote();
  const remoteAlias = sql.identifier(Symbol(table.name));
  const specs = isAggregate ? aggregateSpecs(table, remoteAlias, order) : orderBySpecs(table, remoteAlias, [order]);
  const source = sql`from ${table.from} as ${remoteAlias} where ${belongsTo(alias, remoteAlias, relation)}`;
  return specs.map((spec) => ({ ...spec, fragment: sql`(select ${spec.fragment} ${source})` }));
}

/** {count: desc}, {max: {created_at: desc}} */
function aggregateSpecs(table: Table, alias: SQL, order: OrderBy): Spec[] {
  return Object.entries(order).flatMap(([name, value]) => {
    if (!value) return [];
    if (name === "count") return [{ fragment: sql`count(*)`, codec: TYPES.bigint, ...directions[value as Direction] }];
    return Object.entries(value as OrderBy).flatMap(([columnName, direction]) => {
      const sorted = table.readable.find((each) => each.name === columnName);
      if (!sorted || !direction) return [];
      const fragment = aggregateFunctions[name]?.toSql(column(alias, sorted));
      if (!fragment) throw new Error(`order_by: ${name} is not in the schema`);
      return [{ fragment, codec: sorted.codec, ...directions[direction as Direction] }];
    });
  });
}

/** An order_by argument as the clause of a subquery. */
export const orderBySql = (table: Table, alias: SQL, orders: OrderBy[]): SQL[] =>
  orderBySpecs(table, alias, orders).map(({ fragment, direction, nulls }) => {
    const nullsSql = nulls === undefined ? sql`` : nulls === "FIRST" ? sql` nulls first` : sql` nulls last`;
    return sql`${fragment} ${direction === "ASC" ? sql`asc` : sql`desc`}${nullsSql}`;
  });

/** Registers the types of order_by: user_session_order_by, with the columns, the relations and their aggregates. */
export const orderBy: GraphileConfig.Plugin = {
  name: "LatchkeyOrderBy",
  schema: {
    hooks: {
      init: {
        after: ["PgCodecs"],
        callback(_, build) {
          build.registerEnumType(
            "order_by",
            {},
            () => ({ values: Object.fromEntries(Object.keys(directions).map((name) => [name, { value: name }])) }),
            "the order_by argument",
          );
          type Names = [field: string, type: string][];
          const register = (name: string, fields: () => Names) =>
            build.registerInputObjectType(
              name,
              {},
              () => ({
                fields: () =>
                  Object.fromEntries(
                    fields().map(([field, type]) => [field, { type: build.getInputTypeByName(type) }]),
                  ),
              }),
              "the order_by argument",
            );
          const sorted = (columns: Column[]): Names => columns.map(({ name }) => [name, "order_by"]);
          for (const table of rowTypesOf(build))
            register(`${table.name}_order_by`, () => [
              ...sorted(table.readable.filter(({ codec }) => isOrdered(codec))),
              ...table.relations.map(({ name, isToMany, remote }): Names[number] =>
                isToMany
                  ? [`${name}_aggregate`, `${remote().name}_aggregate_order_by`]
                  : [name, `${remote().name}_order_by`],
              ),
            ]);
          for (const table of aggregatedTables(build)) {
            const aggregates = aggregatesOf(table);
            register(`${table.name}_aggregate_order_by`, () => [
              ["count", "order_by"],
              ...aggregates.map(([name]): Names[number] => [name, `${table.name}_${name}_order_by`]),
            ]);
            for (const [name, , columns] of aggregates)
              register(`${table.name}_${name}_order_by`, () => sorted(columns));
          }
          return _;
        },
      },
    },
  },
};
