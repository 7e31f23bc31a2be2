import type { GraphQLInputType } from "postgraphile/graphql";
import { lambda } from "postgraphile/grafast";
import { primaryKeyColumns } from "./mutation_statements.ts";
import { tablesOf, type Column, type Table } from "./tables.ts";
import type { WrittenRowsStep } from "./written_rows_step.ts";

/** X_mutation_response and the inputs of the mutations: those that the role's grants leave something to put into. */
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
  const input = (typeName: string, columns: Column[], required = false) =>
    build.registerInputObjectType(
      typeName,
      {},
      () => ({ fields: () => columnFields(build, columns, required) }),
      origin,
    );
  const enumeration = (typeName: string, values: string[]) =>
    build.registerEnumType(
      typeName,
      {},
      () => ({ values: Object.fromEntries(values.map((value) => [value, { value }])) }),
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
    input(`${name}_set_input`, updatable);
    input(`${name}_pk_columns_input`, primaryKeyColumns(table), true);
  }
  if (insertable.length === 0) return;
  input(`${name}_insert_input`, insertable);
  enumeration(
    `${name}_constraint`,
    constraints.map((constraint) => constraint.name),
  );
  // Without a column to update, a conflict can only be passed over.
  if (updatable.length > 0)
    enumeration(
      `${name}_update_column`,
      updatable.map((column) => column.name),
    );
  build.registerInputObjectType(
    `${name}_on_conflict`,
    {},
    () => ({ fields: () => onConflictFields(build, table) }),
    origin,
  );
}

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

export function columnFields(build: GraphileBuild.Build, columns: Column[], required: boolean) {
  const { GraphQLNonNull } = build.graphql;
  return Object.fromEntries(
    columns.map(({ name, codec }) => {
      const type = build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType;
      return [name, { type: required ? new GraphQLNonNull(type) : type }];
    }),
  );
}
