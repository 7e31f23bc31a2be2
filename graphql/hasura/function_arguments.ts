import type { GraphQLInputType, GraphQLNullableType } from "postgraphile/graphql";
import type { PgCodec, PgResource } from "postgraphile/@dataplan/pg";
import type { FieldArgs, Step } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { readArgument } from "./phone_arguments.ts";
import { ownSchemas } from "./schemas.ts";
import { parameter } from "./tables.ts";

export interface FunctionArgument {
  name: string;
  codec: PgCodec;
  type: { type: GraphQLInputType };
  /** The value as the function takes it. */
  read: (value: unknown) => unknown;
  /** As a named argument of a call; nothing for one that is left out and has a default. */
  toSql: (value: unknown) => SQL[];
}

/** The functions of the schemas that the role may execute, but for those whose arguments have no names. */
export const functionsOf = (build: GraphileBuild.Build): PgResource[] =>
  (Object.values(build.input.pgRegistry.pgResources) as PgResource[]).filter(
    ({ parameters, extensions }) => parameters?.every(({ name }) => name) === true && extensions?.canExecute === true,
  );

const isOwn = ({ extensions }: PgResource): boolean => ownSchemas.includes(String(extensions?.pg?.schemaName));

/** Our own functions have their plain names; the application's are schema_name. */
export const functionField = (build: GraphileBuild.Build, fn: PgResource): string =>
  isOwn(fn) ? String(fn.extensions?.pg?.name) : build.inflection._resourceName(fn);

export const argumentsOf = (build: GraphileBuild.Build, fn: PgResource): FunctionArgument[] =>
  (fn.parameters ?? []).map(({ name: parameterName, codec, optional = false }) => {
    const type = build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType & GraphQLNullableType;
    const name = String(parameterName);
    const read = (value: unknown) => (isOwn(fn) ? readArgument(functionField(build, fn), name, value) : value);
    return {
      name,
      codec,
      // A parameter with a default may be left out.
      type: { type: optional ? type : new build.graphql.GraphQLNonNull(type) },
      read,
      toSql: (value) =>
        value === undefined && optional
          ? []
          : [sql`${sql.identifier(name)} => ${parameter(codec, value === undefined ? null : read(value))}`],
    };
  });

/** Registers the type of `args` of the application's functions. */
export const functionArgumentTypes: GraphileConfig.Plugin = {
  name: "LatchkeyFunctionArguments",
  schema: {
    hooks: {
      init: {
        after: ["PgCodecs"],
        callback(_, build) {
          for (const fn of functionsOf(build)) {
            if (isOwn(fn) || fn.parameters?.length === 0) continue;
            build.registerInputObjectType(
              `${functionField(build, fn)}_args`,
              {},
              () => ({ fields: () => toFieldArguments(argumentsOf(build, fn)) }),
              "arguments of functions",
            );
          }
          return _;
        },
      },
    },
  },
};

/** The arguments of a function's field: `args`, as in Hasura, and those of our own functions one by one. */
export function fieldArguments(build: GraphileBuild.Build, fn: PgResource, inputs: FunctionArgument[]) {
  const { GraphQLNonNull } = build.graphql;
  if (isOwn(fn) || inputs.length === 0)
    return { args: toFieldArguments(inputs), read: ($args: FieldArgs, name: string): Step => $args.getRaw(name) };
  const type = build.getInputTypeByName(`${functionField(build, fn)}_args`) as GraphQLInputType & GraphQLNullableType;
  const isRequired = fn.parameters?.some(({ optional }) => !optional);
  return {
    args: { args: { type: isRequired ? new GraphQLNonNull(type) : type } },
    read: ($args: FieldArgs, name: string): Step => $args.getRaw(["args", name]),
  };
}

/** As the `args` of a field. */
const toFieldArguments = (args: FunctionArgument[]): Record<string, { type: GraphQLInputType }> =>
  Object.fromEntries(args.map(({ name, type }) => [name, type]));
