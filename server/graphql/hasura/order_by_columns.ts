import { Refusal } from "../engine/refusal.ts";

export type OrderBy = Record<string, Direction | null | undefined>;
export type Direction = keyof typeof directions;

interface Spec {
  attribute: string;
  direction: "ASC" | "DESC";
  nulls?: "FIRST" | "LAST";
}

/** Where nulls go if nothing is said is PostgreSQL's own rule, as in Hasura: last when ascending, first when descending. */
export const directions = {
  asc: { direction: "ASC" },
  asc_nulls_first: { direction: "ASC", nulls: "FIRST" },
  asc_nulls_last: { direction: "ASC", nulls: "LAST" },
  desc: { direction: "DESC" },
  desc_nulls_first: { direction: "DESC", nulls: "FIRST" },
  desc_nulls_last: { direction: "DESC", nulls: "LAST" },
} as const satisfies Record<string, Omit<Spec, "attribute">>;

/** An order_by argument as what PostGraphile's queries take. */
export function orderBySpecs(orders: OrderBy[]): Spec[] {
  return orders.flatMap((order) => {
    const given = Object.entries(order).filter(([, direction]) => direction !== undefined);
    // An object's keys have no order.
    if (given.length > 1)
      throw new Refusal("validation-failed", "order_by: each object holds one column; give a list of them.");
    return given.flatMap(([attribute, direction]) =>
      direction ? [{ attribute, ...directions[direction] }] : [],
    );
  });
}
