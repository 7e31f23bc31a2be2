import { comparable, tablesOf } from "./tables.ts";

export type OrderBy = Record<string, Direction | null | undefined>;
export type Direction = keyof typeof directions;

interface Spec {
  attribute: string;
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
} as const satisfies Record<string, Omit<Spec, "attribute">>;

/**
 * Converts an order_by argument for PostGraphile's query builder.
 * @param orders objects of one column each: engine/documents/order_of_columns.ts has split the client's
 */
export function orderBySpecs(orders: OrderBy[]): Spec[] {
  return orders.flatMap((order) => {
    const entries = Object.entries(order).filter(([, direction]) => direction !== undefined);
    if (entries.length > 1) throw new Error("order_by: the order of these columns is lost");
    return entries.flatMap(([attribute, direction]) => (direction ? [{ attribute, ...directions[direction] }] : []));
  });
}

/** Registers the types of order_by: user_session_order_by, with an enum field for each column. */
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
            () => ({
              values: Object.fromEntries(Object.keys(directions).map((name) => [name, { value: name }])),
            }),
            "the order_by argument",
          );
          for (const table of tablesOf(build)) {
            build.registerInputObjectType(
              `${table.name}_order_by`,
              {},
              () => ({
                fields: () =>
                  Object.fromEntries(
                    comparable(table.readable).map(({ name }) => [
                      name,
                      { type: build.getInputTypeByName("order_by") },
                    ]),
                  ),
              }),
              "the order_by argument",
            );
          }
          return _;
        },
      },
    },
  },
};
