import type { PgResource } from "postgraphile/@dataplan/pg";
import { lambda, type FieldArgs, type Step } from "postgraphile/grafast";
import { argumentsOf, functionName, functionsOf, toFieldArguments } from "./function_arguments.ts";
import { readArgument } from "./phone_arguments.ts";

/**
 * Adds a query for each function that the role may execute, that changes nothing, takes arguments and returns rows of a
 * composite type: explain_delivery(phone, since). PostGraphile's own field would be platform_explain_delivery, and each
 * function would also get a field on tables whose rows it takes. A function without arguments has a view, which `where`
 * and `order_by` apply to.
 */
export const queryFunctions: GraphileConfig.Plugin = {
  name: "LatchkeyQueryFunctions",
  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, { scope }) {
        if (!scope.isRootQuery) return fields;
        const queryFields = functionsOf(build)
          .filter(({ isMutation, isUnique, parameters, codec }) => {
            const readsRows = !isMutation && !isUnique && codec.attributes !== undefined;
            return readsRows && parameters !== undefined && parameters.length > 0;
          })
          .map((fn) => [functionName(fn), createField(build, fn)] as const);
        return build.extend(fields, Object.fromEntries(queryFields), "functions that read");
      },
    },
  },
};

function createField(build: GraphileBuild.Build, fn: PgResource) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const rowType = build.getOutputTypeByName(build.inflection.tableType(fn.codec));
  const inputs = argumentsOf(build, fn);
  return {
    description: fn.description,
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(rowType))),
    args: toFieldArguments(inputs),
    plan: (_: Step, $args: FieldArgs) =>
      fn.execute(
        inputs.map(({ name, codec }) => ({
          name,
          step: lambda($args.getRaw(name), (value) => readArgument(functionName(fn), name, value), true),
          pgCodec: codec,
        })),
      ),
  };
}
