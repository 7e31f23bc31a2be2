import type { PgResource } from "postgraphile/@dataplan/pg";
import { lambda, type FieldArgs, type Step } from "postgraphile/grafast";
import { argumentsOf, fieldArguments, functionField, functionsOf } from "./function_arguments.ts";
import { ownSchemas } from "./schemas.ts";

/**
 * Adds a query for each function that the audience may execute, that changes nothing and returns rows of a composite
 * type: explain_delivery(phone, since). PostGraphile's own field would be platform_explain_delivery, and each function
 * would also get a field on tables whose rows it takes. Of our own functions, one without arguments has a view, which
 * `where` and `order_by` apply to.
 */
export const queryFunctions: GraphileConfig.Plugin = {
  name: "LatchkeyQueryFunctions",
  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, { scope }) {
        if (!scope.isRootQuery) return fields;
        const queryFields = functionsOf(build)
          .filter(({ isMutation, isUnique, parameters, codec, extensions }) => {
            const hasView = parameters?.length === 0 && ownSchemas.includes(String(extensions?.pg?.schemaName));
            return !isMutation && !isUnique && !hasView && codec.attributes !== undefined;
          })
          .map((fn) => [functionField(build, fn), createField(build, fn)] as const);
        return build.extend(fields, Object.fromEntries(queryFields), "functions that read");
      },
    },
  },
};

function createField(build: GraphileBuild.Build, fn: PgResource) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const rowType = build.getOutputTypeByName(build.inflection.tableType(fn.codec));
  const inputs = argumentsOf(build, fn);
  const { args, read } = fieldArguments(build, fn, inputs);
  return {
    description: fn.description,
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(rowType))),
    args,
    plan: (_: Step, $args: FieldArgs) =>
      fn.execute(
        inputs.map((input) => ({
          name: input.name,
          step: lambda(read($args, input.name), input.read, true),
          pgCodec: input.codec,
        })),
      ),
  };
}
