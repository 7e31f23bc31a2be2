import type { PgResource } from "postgraphile/@dataplan/pg";
import { object, type FieldArgs, type Step } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { argumentsOf, functionName, functionsOf, toFieldArguments } from "./function_arguments.ts";
import type { Values } from "./mutation_statements.ts";
import { readArgument } from "./phone_arguments.ts";
import { column, parameter, tablesOf, type Table } from "./tables.ts";
import { readableColumns, target, writtenRows } from "./written_rows.ts";

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
        const mutationFields = functionsOf(build).flatMap((fn) => {
          const table = tables.get(fn.codec);
          return table && fn.isMutation ? [[functionName(fn), createField(build, fn, table)] as const] : [];
        });
        return build.extend(fields, Object.fromEntries(mutationFields), "actions");
      },
    },
  },
};

function createField(build: GraphileBuild.Build, fn: PgResource, table: Table) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const { isUnique, extensions, description } = fn;
  const rowType = build.getOutputTypeByName(table.name);
  const inputs = argumentsOf(build, fn);
  const action = functionName(fn);
  const name = sql.identifier(String(extensions?.pg?.schemaName), action);
  const buildStatement = (values: Values): SQL => {
    const args = inputs.map(
      (input) =>
        sql`${sql.identifier(input.name)} => ${parameter(input.codec, readArgument(action, input.name, values[input.name]))}`,
    );
    // A function that returns null yields a row whose columns are all null.
    const isNotNull = table.primaryKey.map((key) => sql`${column(target, key)} is not null`);
    return sql`select ${readableColumns(table)} from ${name}(${sql.join(args, ", ")}) as ${target} where ${sql.join(isNotNull, " and ")}`;
  };
  return {
    description,
    type: isUnique ? rowType : new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(rowType))),
    args: toFieldArguments(inputs),
    plan(_: Step, $args: FieldArgs) {
      const $values = object(Object.fromEntries(inputs.map((input) => [input.name, $args.getRaw(input.name)])));
      const $rows = writtenRows(action, table, $values as unknown as Step<Values>, buildStatement);
      return isUnique ? $rows.first() : $rows;
    },
  };
}
