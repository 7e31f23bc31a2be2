import type { GraphQLInputType } from "postgraphile/graphql";
import { comparable, tablesOf, type Column } from "./tables.ts";
import { operators, textOperators } from "./where_conditions.ts";

/** Registers the types of `where`: user_session_bool_exp for each table, uuid_comparison_exp for each scalar. */
export const where: GraphileConfig.Plugin = {
  name: "LatchkeyWhere",
  schema: {
    hooks: {
      init: {
        // These plugins name the scalars.
        after: ["PgCodecs", "PgTablesPlugin"],
        callback(_, build) {
          const scalars = new Map<string, Column>();
          for (const table of tablesOf(build)) {
            for (const column of comparable(table.readable)) scalars.set(scalarName(build, column), column);
            build.registerInputObjectType(
              `${table.name}_bool_exp`,
              {},
              () => ({ fields: () => boolExpFields(build, table.name) }),
              "the where argument",
            );
          }
          for (const [name, column] of scalars) {
            build.registerInputObjectType(
              `${name}_comparison_exp`,
              {},
              () => ({ fields: () => comparisonFields(build, name, column) }),
              "the where argument",
            );
          }
          return _;
        },
      },
    },
  },
};

function boolExpFields(build: GraphileBuild.Build, tableName: string) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const table = tablesOf(build).find(({ name }) => name === tableName);
  if (!table) throw new Error(`the schema has no table ${tableName}`);
  const type = (name: string) => ({ type: build.getInputTypeByName(name) });
  const boolExp = type(`${table.name}_bool_exp`);
  const boolExps = { type: new GraphQLList(new GraphQLNonNull(boolExp.type)) };
  return {
    _and: boolExps,
    _or: boolExps,
    _not: boolExp,
    ...Object.fromEntries(
      comparable(table.readable).map((column) => [column.name, type(`${scalarName(build, column)}_comparison_exp`)]),
    ),
    ...Object.fromEntries(table.relations.map(({ name, remote }) => [name, type(`${remote().name}_bool_exp`)])),
  };
}

function comparisonFields(build: GraphileBuild.Build, name: string, { codec }: Column) {
  const { GraphQLBoolean, GraphQLList, GraphQLNonNull } = build.graphql;
  const scalar = build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType;
  const list = new GraphQLList(new GraphQLNonNull(scalar));
  const otherTypes: Record<string, GraphQLInputType> = { _in: list, _nin: list, _is_null: GraphQLBoolean };
  const names = [...Object.keys(operators), ...(name === "String" ? Object.keys(textOperators) : [])];
  return Object.fromEntries(names.map((operator) => [operator, { type: otherTypes[operator] ?? scalar }]));
}

function scalarName(build: GraphileBuild.Build, { codec, name }: Column): string {
  const typeName = build.getGraphQLTypeNameByPgCodec(codec, "input");
  if (!typeName) throw new Error(`column ${name} has no GraphQL type`);
  return typeName;
}
