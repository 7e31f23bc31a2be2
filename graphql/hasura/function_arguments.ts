import type { GraphQLInputType, GraphQLNullableType } from "postgraphile/graphql";
import type { PgCodec, PgResource } from "postgraphile/@dataplan/pg";

export interface FunctionArgument {
  name: string;
  codec: PgCodec;
  type: { type: GraphQLInputType };
}

/** The functions of the schemas that the role may execute. */
export const functionsOf = (build: GraphileBuild.Build): PgResource[] =>
  (Object.values(build.input.pgRegistry.pgResources) as PgResource[]).filter(
    ({ parameters, extensions }) => parameters !== undefined && extensions?.canExecute === true,
  );

export const functionName = ({ extensions }: PgResource): string => String(extensions?.pg?.name);

export const argumentsOf = (build: GraphileBuild.Build, { parameters = [] }: PgResource): FunctionArgument[] =>
  parameters.map(({ name, codec, optional }) => {
    const type = build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType & GraphQLNullableType;
    // A parameter with a default may be left out: the function takes null for it too.
    return { name: String(name), codec, type: { type: optional ? type : new build.graphql.GraphQLNonNull(type) } };
  });

/** As the `args` of a field. */
export const toFieldArguments = (args: FunctionArgument[]): Record<string, { type: GraphQLInputType }> =>
  Object.fromEntries(args.map(({ name, type }) => [name, type]));
