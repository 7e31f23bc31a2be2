import type { GraphQLInputType } from "postgraphile/graphql";
import type { PgResource, PgResourceParameter } from "postgraphile/@dataplan/pg";
import { object, type FieldArgs, type Step } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { Values } from "./mutation_statements.ts";
import { column, parameter, tablesOf, type Table } from "./tables.ts";
import { readableColumns, written, writtenRows } from "./written_rows_step.ts";

/**
 * A mutation for every volatile function in the exposed schemas that the role may execute and that answers with rows
 * of a table: revoke_session(id), revoke_other_sessions. PostGraphile's own would be user_revoke_session(input: {…}),
 * and would select columns that the role has no grant on.
 */
export const actions: GraphileConfig.Plugin = {
  name: "LatchkeyActions",
  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, { scope }) {
        if (!scope.isRootMutation) return fields;
        const tables = new Map(tablesOf(build).map((table) => [table.resource.codec, table]));
        const functions = Object.values(build.input.pgRegistry.pgResources) as PgResource[];
        const added = functions.flatMap((callable) => {
          const table = tables.get(callable.codec);
          const { isMutation, parameters, extensions } = callable;
          if (!table || !parameters || !isMutation || extensions?.canExecute !== true) return [];
          return [[String(extensions.pg?.name), action(build, callable, parameters, table)] as const];
        });
        return build.extend(fields, Object.fromEntries(added), "actions");
      },
    },
  },
};

function action(
  build: GraphileBuild.Build,
  { isUnique, extensions, description }: PgResource,
  parameters: readonly PgResourceParameter[],
  table: Table,
) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const row = build.getOutputTypeByName(table.name);
  const named = parameters.map(({ name, codec }) => ({ name: String(name), codec: codec }));
  const called = sql.identifier(String(extensions?.pg?.schemaName), String(extensions?.pg?.name));
  const statement = (given: Values): SQL => {
    const args = named.map(
      ({ name, codec }) => sql`${sql.identifier(name)} => ${parameter(codec, given[name])}`,
    );
    // A function that answers null answers a row of nulls.
    const found = table.primaryKey.map((name) => sql`${column(written, name)} is not null`);
    return sql`select ${readableColumns(table)} from ${called}(${sql.join(args, ", ")}) as ${written} where ${sql.join(found, " and ")}`;
  };
  return {
    description,
    type: isUnique ? row : new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(row))),
    args: Object.fromEntries(
      named.map(({ name, codec }) => [
        name,
        { type: new GraphQLNonNull(build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType) },
      ]),
    ),
    plan(_: Step, $args: FieldArgs) {
      const $given = object(Object.fromEntries(named.map(({ name }) => [name, $args.getRaw(name)])));
      const $rows = writtenRows(table, $given as unknown as Step<Values>, statement);
      return isUnique ? $rows.first() : $rows;
    },
  };
}
