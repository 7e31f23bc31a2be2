import type { GraphQLInputType, GraphQLNullableType } from "postgraphile/graphql";
import type { PgResource, PgResourceParameter } from "postgraphile/@dataplan/pg";
import { lambda, type FieldArgs, type Step } from "postgraphile/grafast";
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
        const functions = Object.values(build.input.pgRegistry.pgResources) as PgResource[];
        const queryFields = functions.flatMap((fn) => {
          const { isMutation, isUnique, parameters, extensions, codec } = fn;
          if (isMutation || isUnique || !parameters?.length || !codec.attributes) return [];
          if (extensions?.canExecute !== true) return [];
          return [[String(extensions.pg?.name), createField(build, fn, parameters)] as const];
        });
        return build.extend(fields, Object.fromEntries(queryFields), "functions that read");
      },
    },
  },
};

function createField(build: GraphileBuild.Build, fn: PgResource, parameters: readonly PgResourceParameter[]) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const rowType = build.getOutputTypeByName(build.inflection.tableType(fn.codec));
  const functionName = String(fn.extensions?.pg?.name);
  const inputs = parameters.map(({ name, codec, optional = false }) => ({
    name: String(name),
    codec,
    optional,
  }));
  return {
    description: fn.description,
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(rowType))),
    args: Object.fromEntries(
      inputs.map(({ name, codec, optional }) => {
        const type = build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType & GraphQLNullableType;
        return [name, { type: optional ? type : new GraphQLNonNull(type) }];
      }),
    ),
    plan(_: Step, $args: FieldArgs) {
      return fn.execute(
        inputs.map(({ name, codec }) => ({
          name,
          step: lambda($args.getRaw(name), (value) => readArgument(functionName, name, value), true),
          pgCodec: codec,
        })),
      );
    },
  };
}
