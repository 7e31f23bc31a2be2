import type { GraphQLInputType, GraphQLNullableType } from "postgraphile/graphql";
import type { PgResource, PgResourceParameter } from "postgraphile/@dataplan/pg";
import { object, type FieldArgs, type Step } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { Values } from "./mutation_statements.ts";
import { readArgument } from "./phone_arguments.ts";
import { column, parameter, tablesOf, type Table } from "./tables.ts";
import { readableColumns, target, writtenRows } from "./written_rows_step.ts";

/**
 * Adds a mutation for each volatile function that the role may execute and that returns rows of a table:
 * revoke_session(id), revoke_other_sessions. PostGraphile's own field would be user_revoke_session(input: {…}), and
 * would select columns on which the role has no grant.
 */
export const actions: GraphileConfig.Plugin = {
  name: "LatchkeyActions",
  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, { scope }) {
        if (!scope.isRootMutation) return fields;
        const tables = new Map(tablesOf(build).map((table) => [table.resource.codec, table]));
        const functions = Object.values(build.input.pgRegistry.pgResources) as PgResource[];
        const mutationFields = functions.flatMap((fn) => {
          const table = tables.get(fn.codec);
          const { isMutation, parameters, extensions } = fn;
          if (!table || !parameters || !isMutation || extensions?.canExecute !== true) return [];
          return [[String(extensions.pg?.name), createField(build, fn, parameters, table)] as const];
        });
        return build.extend(fields, Object.fromEntries(mutationFields), "actions");
      },
    },
  },
};

function createField(
  build: GraphileBuild.Build,
  { isUnique, extensions, description }: PgResource,
  parameters: readonly PgResourceParameter[],
  table: Table,
) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const rowType = build.getOutputTypeByName(table.name);
  const inputs = parameters.map(({ name, codec, optional = false }) => ({
    name: String(name),
    codec,
    optional,
  }));
  const action = String(extensions?.pg?.name);
  const functionName = sql.identifier(String(extensions?.pg?.schemaName), action);
  const buildStatement = (values: Values): SQL => {
    const args = inputs.map(
      ({ name, codec }) =>
        sql`${sql.identifier(name)} => ${parameter(codec, readArgument(action, name, values[name]))}`,
    );
    // A function that returns null yields a row whose columns are all null.
    const isNotNull = table.primaryKey.map((name) => sql`${column(target, name)} is not null`);
    return sql`select ${readableColumns(table)} from ${functionName}(${sql.join(args, ", ")}) as ${target} where ${sql.join(isNotNull, " and ")}`;
  };
  return {
    description,
    type: isUnique ? rowType : new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(rowType))),
    args: Object.fromEntries(
      inputs.map(({ name, codec, optional }) => {
        const type = build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType & GraphQLNullableType;
        // A parameter with a default may be left out: the function takes null for it too.
        return [name, { type: optional ? type : new GraphQLNonNull(type) }];
      }),
    ),
    plan(_: Step, $args: FieldArgs) {
      const $values = object(Object.fromEntries(inputs.map(({ name }) => [name, $args.getRaw(name)])));
      const $rows = writtenRows(action, table, $values as unknown as Step<Values>, buildStatement);
      return isUnique ? $rows.first() : $rows;
    },
  };
}
