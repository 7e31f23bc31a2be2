import { TYPES, type PgSelectStep } from "postgraphile/@dataplan/pg";
import { connection, type ConnectionStep } from "postgraphile/grafast";
import { sql } from "postgraphile/pg-sql2";
import { tablesOf, type Table } from "./tables.ts";

type Rows = ConnectionStep<unknown, PgSelectStep>;

/** Adds user_session_aggregate { aggregate { count } nodes }: PostGraphile has counts only on Relay connections. */
export const aggregates: GraphileConfig.Plugin = {
  name: "LatchkeyAggregates",
  schema: {
    hooks: {
      init(_, build) {
        for (const table of tablesOf(build)) registerTypes(build, table);
        return _;
      },
      GraphQLObjectType_fields(fields, build, { scope, fieldWithHooks }) {
        if (!scope.isRootQuery) return fields;
        const { GraphQLNonNull } = build.graphql;
        const aggregateFields = tablesOf(build).map(({ name, resource }) => {
          const fieldName = `${name}_aggregate`;
          const spec = {
            type: new GraphQLNonNull(build.getOutputTypeByName(fieldName)),
            plan: () => connection(resource.find()),
          };
          // The lists plugin adds arguments to fields with this scope.
          const scoped = { fieldName, isPgFieldConnection: true, pgFieldResource: resource };
          return [fieldName, fieldWithHooks(scoped, spec)] as const;
        });
        return build.extend(fields, Object.fromEntries(aggregateFields), "aggregates");
      },
    },
  },
};

function registerTypes(build: GraphileBuild.Build, { name }: Table): void {
  const { GraphQLInt, GraphQLList, GraphQLNonNull } = build.graphql;
  build.registerObjectType(
    `${name}_aggregate_fields`,
    {},
    () => ({
      fields: () => ({
        count: {
          type: new GraphQLNonNull(GraphQLInt),
          // The count of all rows that match `where`: limit and offset affect only the nodes.
          plan: ($rows: Rows) =>
            ($rows.cloneSubplanWithoutPagination("aggregate") as unknown as PgSelectStep)
              .singleAsRecord()
              .select(sql`count(*)`, TYPES.int, false),
        },
      }),
    }),
    "aggregates",
  );
  build.registerObjectType(
    `${name}_aggregate`,
    {},
    () => ({
      fields: () => ({
        aggregate: {
          type: new GraphQLNonNull(build.getOutputTypeByName(`${name}_aggregate_fields`)),
          plan: ($rows: Rows) => $rows,
        },
        nodes: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(build.getOutputTypeByName(name)))),
          plan: ($rows: Rows) => $rows.nodes(),
        },
      }),
    }),
    "aggregates",
  );
}
