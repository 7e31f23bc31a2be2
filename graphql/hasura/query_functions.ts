import type { PgResource, PgSelectStep } from "postgraphile/@dataplan/pg";
import { lambda, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLOutputType } from "postgraphile/graphql";
import { sql } from "postgraphile/pg-sql2";
import { argumentsOf, fieldArguments, functionField, isOwn, rootFunctions } from "./function_arguments.ts";
import { defaultLimit } from "../request_limits.ts";
import { applyList, listArguments } from "./lists.ts";
import { type Column } from "./columns.ts";
import { rowTypesOf, tableOf } from "./tables.ts";

/**
 * Adds a query for each function that the audience may execute and that changes nothing: explain_delivery(phone, since).
 * One that returns rows takes the arguments of a list. PostGraphile's own field would be platform_explain_delivery, and
 * each function would also get a field on tables whose rows it takes. Of our own functions, one without arguments has a
 * view, which `where` and `order_by` apply to, and one of a single value is for others to call.
 */
export const queryFunctions: GraphileConfig.Plugin = {
  name: "LatchkeyQueryFunctions",
  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, { scope }) {
        if (scope.isPgClassType) {
          const table = rowTypesOf(build).find(({ resource }) => resource.codec === scope.pgCodec);
          const computed = table?.readable.filter(({ call }) => call) ?? [];
          const created = computed.map((each) => [each.name, computedField(build, each)] as const);
          return build.extend(fields, Object.fromEntries(created) as never, "computed fields");
        }
        if (!scope.isRootQuery) return fields;
        const queryFields = rootFunctions(build)
          .filter((fn) => {
            const isInternal = isOwn(fn) && (fn.parameters?.length === 0 || fn.isUnique || !fn.codec.attributes);
            return !fn.isMutation && !isInternal;
          })
          .map((fn) => [functionField(build, fn), createField(build, fn)] as const);
        return build.extend(fields, Object.fromEntries(queryFields), "functions that read");
      },
    },
  },
};

const computedField = (build: GraphileBuild.Build, { sqlName, call, codec }: Column) => ({
  type: build.getGraphQLTypeByPgCodec(codec, "output"),
  plan(
    $row: Step & {
      select?: (...args: unknown[]) => Step;
      get: (name: string) => Step;
      getClassStep?: () => PgSelectStep;
    },
  ) {
    const alias = $row.getClassStep?.().alias;
    return $row.select && alias && call ? $row.select(sql`${call}(${alias})`, codec) : $row.get(sqlName);
  },
});

function createField(build: GraphileBuild.Build, fn: PgResource) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const table = tableOf(build, fn);
  const rowType = (
    table ? build.getOutputTypeByName(table.name) : build.getGraphQLTypeByPgCodec(fn.codec, "output")
  ) as GraphQLOutputType;
  const isList = !fn.isUnique;
  // Each of ours limits its own result.
  const fallback = isOwn(fn) ? null : defaultLimit;
  const inputs = argumentsOf(build, fn);
  const { args, read } = fieldArguments(build, fn, inputs);
  return {
    description: fn.description,
    type: isList ? new GraphQLNonNull(new GraphQLList(table ? new GraphQLNonNull(rowType) : rowType)) : rowType,
    args: { ...args, ...(isList && table && listArguments(build, table, fallback)) },
    plan(_: Step, $args: FieldArgs) {
      const given = inputs
        .map((input) => ({ input, $value: read($args, input) }))
        // One plan for each set of arguments that are left out: the function has their defaults.
        .filter(({ input, $value }) => !(input.optional && isLeftOut($value)));
      const $rows = fn.execute(
        given.map(({ input: { name, codec, read: readValue }, $value }) => ({
          name,
          step: lambda($value, readValue, true),
          pgCodec: codec,
        })),
      );
      if (isList && table) applyList(table, $rows as PgSelectStep, $args, { fallback });
      return $rows;
    },
  };
}

const isLeftOut = ($value: Step): boolean =>
  "evalIs" in $value && ($value as Step & { evalIs: (value: unknown) => boolean }).evalIs(undefined);
