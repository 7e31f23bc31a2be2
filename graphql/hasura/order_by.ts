import { directions } from "./order_by_columns.ts";
import { comparable, tablesOf } from "./tables.ts";

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
