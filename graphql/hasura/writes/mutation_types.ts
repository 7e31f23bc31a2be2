import { GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLString, type GraphQLInputType } from "postgraphile/graphql";
import { lambda } from "postgraphile/grafast";
import { type Column } from "../columns.ts";
import { tablesOf, type Table } from "../tables.ts";
import { updateOperatorsOf } from "./updates.ts";
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

const operandTypes = {
  String: GraphQLString,
  Int: GraphQLInt,
  "[String!]": new GraphQLList(new GraphQLNonNull(GraphQLString)),
};

function registerTypes(build: GraphileBuild.Build, table: Table): void {
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
          plan: ($rows: WrittenRowsStep) => lambda($rows, (rows) => rows.affected, true),
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
    for (const [operator, { operand }, columns] of updateOperatorsOf(table)) {
      const type = operand && operandTypes[operand];
      build.registerInputObjectType(
        `${name}${operator}_input`,
        {},
        () => ({ fields: () => columnFields(build, columns, false, type) }),
        origin,
      );
    }
    build.registerInputObjectType(
      `${name}_updates`,
      {},
      () => ({
        fields: () => ({
          where: { type: new GraphQLNonNull(build.getInputTypeByName(`${name}_bool_exp`)) },
          ...updateArguments(build, table),
        }),
      }),
      origin,
    );
    if (table.primaryKey.length > 0) registerInput(`${name}_pk_columns_input`, table.primaryKey, true);
  }
  if (insertable.length === 0) return;
  build.registerInputObjectType(
    `${name}_insert_input`,
    {},
    () => ({ fields: () => ({ ...columnFields(build, insertable, false), ...nestedFields(build, table) }) }),
    origin,
  );
  const inserted = { type: () => new GraphQLNonNull(build.getInputTypeByName(`${name}_insert_input`)) };
  for (const [kind, data] of [
    ["obj", () => inserted.type()],
    ["arr", () => new GraphQLNonNull(new GraphQLList(inserted.type()))],
  ] as const)
    build.registerInputObjectType(
      `${name}_${kind}_rel_insert_input`,
      {},
      () => ({
        fields: () => ({
          data: { type: data() },
          ...(constraints.length > 0 && { on_conflict: { type: build.getInputTypeByName(`${name}_on_conflict`) } }),
        }),
      }),
      origin,
    );
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

/** The relations whose rows may be inserted with a row. */
const nestedFields = (build: GraphileBuild.Build, { relations }: Table) =>
  Object.fromEntries(
    relations
      .filter(({ remote }) => remote().insertable.length > 0)
      .map(({ name, isToMany, remote }) => [
        name,
        { type: build.getInputTypeByName(`${remote().name}_${isToMany ? "arr" : "obj"}_rel_insert_input`) },
      ]),
  );

/** _set, _inc and so on. */
export const updateArguments = (build: GraphileBuild.Build, table: Table): Record<string, { type: GraphQLInputType }> =>
  Object.fromEntries(
    updateOperatorsOf(table).map(([name]) => [name, { type: build.getInputTypeByName(`${table.name}${name}_input`) }]),
  );

export function columnFields(
  build: GraphileBuild.Build,
  columns: Column[],
  isRequired: boolean,
  operand?: GraphQLInputType,
) {
  const { GraphQLNonNull } = build.graphql;
  return Object.fromEntries(
    columns.map(({ name, codec }) => {
      const type = operand ?? (build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType);
      return [name, { type: isRequired ? new GraphQLNonNull(type) : type }];
    }),
  );
}
