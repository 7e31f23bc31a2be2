import type { PgResource } from "postgraphile/@dataplan/pg";
import { object, type FieldArgs, type Step } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { argumentsOf, callSql, fieldArguments, functionField, rootFunctions } from "./function_arguments.ts";
import type { Values } from "./writes/mutation_statements.ts";
import { column } from "./columns.ts";
import { tableOf, type Table } from "./tables.ts";
import { target, writeRows, writtenRows } from "./writes/written_rows.ts";

/**
 * Adds a mutation for each volatile function that the audience may execute and that returns rows of a table:
 * revoke_session(id), revoke_other_sessions. PostGraphile's own field would be user_revoke_session(input: {…}), and
 * would select columns on which the role has no grant.
 */
export const actions: GraphileConfig.Plugin = {
  name: "LatchkeyActions",
  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, { scope }) {
        if (!scope.isRootMutation) return fields;
        const mutationFields = rootFunctions(build).flatMap((fn) => {
          const table = tableOf(build, fn);
          return table && fn.isMutation ? [[functionField(build, fn), createField(build, fn, table)] as const] : [];
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
  const { args, read } = fieldArguments(build, fn, inputs);
  const name = sql.identifier(String(extensions?.pg?.schemaName), String(extensions?.pg?.name));
  const buildStatement = (values: Values, returned: SQL): SQL => {
    // A function that returns null yields a row whose columns are all null.
    const isNotNull =
      table.primaryKey.length > 0
        ? sql.join(
            table.primaryKey.map((key) => sql`${column(target, key)} is not null`),
            " and ",
          )
        : sql`not (${target} is null)`;
    return sql`select ${returned} from ${name}(${callSql(inputs, values)}) as ${target} where ${isNotNull}`;
  };
  return {
    description,
    type: isUnique ? rowType : new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(rowType))),
    args,
    plan(_: Step, $args: FieldArgs) {
      const $values = object(Object.fromEntries(inputs.map((input) => [input.name, read($args, input)])));
      const action = functionField(build, fn);
      const $rows = writtenRows(table, $values as unknown as Step<Values>, (client, values, returned) =>
        writeRows(client, { action, table, args: values }, returned, (list) => buildStatement(values, list)),
      );
      return isUnique ? $rows.first() : $rows;
    },
  };
}
