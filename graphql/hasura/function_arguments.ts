import type { GraphQLInputType, GraphQLNullableType } from "postgraphile/graphql";
import type { PgCodec, PgResource } from "postgraphile/@dataplan/pg";
import { lambda, type FieldArgs, type Step } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { Refusal } from "../refusal.ts";
import { readArgument } from "./phone_arguments.ts";
import { ownSchemas } from "./schemas.ts";
import { functionsOf, parameter } from "./columns.ts";

export interface FunctionArgument {
  name: string;
  codec: PgCodec;
  /** It has a default, so it may be left out. */
  optional: boolean;
  /** The value as the function takes it. */
  read: (value: unknown) => unknown;
}

export const isOwn = ({ extensions }: PgResource): boolean => ownSchemas.includes(String(extensions?.pg?.schemaName));

/** Our own functions have their plain names; the application's are schema_name. */
export const functionField = (build: GraphileBuild.Build, fn: PgResource): string =>
  isOwn(fn) ? String(fn.extensions?.pg?.name) : build.inflection._resourceName(fn);

/** Functions with a field of their own: those that take a row are fields of the row. */
export const rootFunctions = (build: GraphileBuild.Build): PgResource[] =>
  functionsOf(build).filter(({ parameters = [] }) => parameters.every(({ codec }) => !codec.attributes));

export const argumentsOf = (build: GraphileBuild.Build, fn: PgResource): FunctionArgument[] =>
  (fn.parameters ?? []).map(({ name: parameterName, codec, optional = false }) => {
    const name = String(parameterName);
    const read = (value: unknown) => (isOwn(fn) ? readArgument(functionField(build, fn), name, value) : value);
    return { name, codec, optional, read };
  });

/** As named arguments of a call, without those that are left out. */
export const callSql = (inputs: FunctionArgument[], values: Record<string, unknown>): SQL =>
  sql.join(
    inputs
      .filter(({ name, optional }) => values[name] !== undefined || !optional)
      .map(({ name, codec, read }) => sql`${sql.identifier(name)} => ${parameter(codec, read(values[name] ?? null))}`),
    ", ",
  );

/** Registers the types of `args`. */
export const functionArgumentTypes: GraphileConfig.Plugin = {
  name: "LatchkeyFunctionArguments",
  schema: {
    hooks: {
      init: {
        after: ["PgCodecs"],
        callback(_, build) {
          for (const fn of rootFunctions(build).filter(takesArgs))
            build.registerInputObjectType(
              `${functionField(build, fn)}_args`,
              {},
              () => ({ fields: () => argumentTypes(build, argumentsOf(build, fn)) }),
              "arguments of functions",
            );
          return _;
        },
      },
    },
  },
};

/** Our own mutations take their arguments one by one. */
const takesArgs = (fn: PgResource): boolean => fn.parameters?.length !== 0 && !(isOwn(fn) && fn.isMutation);

/** @param areOptional whether a client may leave any of them out */
const argumentTypes = (build: GraphileBuild.Build, inputs: FunctionArgument[], areOptional = false) =>
  Object.fromEntries(
    inputs.map(({ name, codec, optional }) => {
      const type = build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType & GraphQLNullableType;
      return [name, { type: optional || areOptional ? type : new build.graphql.GraphQLNonNull(type) }];
    }),
  ) as Record<string, { type: GraphQLInputType }>;

/** The arguments of a function's field: `args`, as in Hasura, and those of our own functions one by one. */
export function fieldArguments(build: GraphileBuild.Build, fn: PgResource, inputs: FunctionArgument[]) {
  const { GraphQLNonNull } = build.graphql;
  if (!takesArgs(fn))
    return {
      args: argumentTypes(build, inputs),
      read: ($args: FieldArgs, { name }: FunctionArgument) => $args.getRaw(name),
    };
  const type = build.getInputTypeByName(`${functionField(build, fn)}_args`) as GraphQLInputType & GraphQLNullableType;
  if (isOwn(fn)) {
    const read = ($args: FieldArgs, { name, optional }: FunctionArgument): Step =>
      lambda(
        [$args.getRaw(["args", name]), $args.getRaw(name)] as never,
        ([inArgs, alone]: unknown[]) => {
          const value = inArgs === undefined ? alone : inArgs;
          if (value === undefined && !optional)
            throw new Refusal("validation-failed", `${functionField(build, fn)}: ${name} is required.`);
          if (inArgs !== undefined && alone !== undefined)
            throw new Refusal("validation-failed", `${functionField(build, fn)}: ${name} is given twice.`);
          return value;
        },
        true,
      );
    return { args: { args: { type }, ...argumentTypes(build, inputs, true) }, read };
  }
  const isRequired = inputs.some(({ optional }) => !optional);
  return {
    args: { args: { type: isRequired ? new GraphQLNonNull(type) : type } } as Record<
      string,
      { type: GraphQLInputType }
    >,
    read: ($args: FieldArgs, { name }: FunctionArgument): Step => $args.getRaw(["args", name]),
  };
}
