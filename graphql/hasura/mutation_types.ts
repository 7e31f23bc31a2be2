import type { GraphQLInputType } from "postgraphile/graphql";
import { lambda } from "postgraphile/grafast";
import { tablesOf, type Column, type Table } from "./tables.ts";
import type { WrittenRowsStep } from "./written_rows.ts";

/**
 * Registers user_session_mutation_response and the input types of mutations, as far as the role's grants allow
 * mutations.
 */
export const mutationTypes: GraphileConfig.Plugin = {
  name: "LatchkeyMutationTypes",
  schema: {
    hooks: {
      init: {
        after: ["PgCodecs"],
        callback(_, build) {
          for (const table of tablesOf(build)) registerTypes(build, table);
          return _;
        },
      },
    },
  },
};

function registerTypes(build: GraphileBuild.Build, table: Table): void {
  const { GraphQLInt, GraphQLList, GraphQLNonNull } = build.graphql;
  const { name, insertable, updatable, deletable, constraints } = table;
  if (insertable.length + updatable.length === 0 && !deletable) return;
  const origin = "mutations";
  const registerInput = (typeName: string, columns: Column[], isRequired = false) =>
    build.registerInputObjectType(
      typeName,
      {},
      () => ({ fields: () => columnFields(build, columns, isRequired) }),
      origin,
    );
  const registerEnum = (typeName: string, values: [name: string, value: string][]) =>
    build.registerEnumType(
      typeName,
      {},
      () => ({ values: Object.fromEntries(values.map(([valueName, value]) => [valueName, { value }])) }),
      origin,
    );

  build.registerObjectType(
    `${name}_mutation_response`,
    {},
    () => ({
      fields: () => ({
        affected_rows: {
          type: new GraphQLNonNull(GraphQLInt),
          plan: ($rows: WrittenRowsStep) => lambda($rows, (rows) => rows.length, true),
        },
        returning: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(build.getOutputTypeByName(name)))),
          plan: ($rows: WrittenRowsStep) => $rows,
        },
      }),
    }),
    origin,
  );
  if (updatable.length > 0) {
    registerInput(`${name}_set_input`, updatable);
    if (table.primaryKey.length > 0) registerInput(`${name}_pk_columns_input`, table.primaryKey, true);
  }
  if (insertable.length === 0) return;
  registerInput(`${name}_insert_input`, insertable);
  if (constraints.length === 0) return;
  registerEnum(
    `${name}_constraint`,
    constraints.map((constraint) => [graphqlName(constraint.name), constraint.name]),
  );
  // With no column to update, ON CONFLICT can only do nothing.
  if (updatable.length > 0)
    registerEnum(
      `${name}_update_column`,
      updatable.map((column) => [column.name, column.sqlName]),
    );
  build.registerInputObjectType(
    `${name}_on_conflict`,
    {},
    () => ({ fields: () => onConflictFields(build, table) }),
    origin,
  );
}

const graphqlName = (name: string): string => name.replace(/\W/g, "_").replace(/^(?=\d)/, "_");

function onConflictFields(build: GraphileBuild.Build, { name, updatable }: Table) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const type = (typeName: string) => build.getInputTypeByName(`${name}_${typeName}`);
  return {
    constraint: { type: new GraphQLNonNull(type("constraint")) },
    ...(updatable.length > 0 && {
      update_columns: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type("update_column")))),
        defaultValue: [],
      },
      where: { type: type("bool_exp") },
    }),
  };
}

export function columnFields(build: GraphileBuild.Build, columns: Column[], isRequired: boolean) {
  const { GraphQLNonNull } = build.graphql;
  return Object.fromEntries(
    columns.map(({ name, codec }) => {
      const type = build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType;
      return [name, { type: isRequired ? new GraphQLNonNull(type) : type }];
    }),
  );
}
