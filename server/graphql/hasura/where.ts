import type { GraphQLInputType } from "postgraphile/graphql";
import { comparable, tablesOf, type Column } from "./tables.ts";
import { operators, textOperators } from "./where_conditions.ts";

/** The types of where: user_session_bool_exp, and for each scalar its uuid_comparison_exp. */
export const where: GraphileConfig.Plugin = {
  name: "LatchkeyWhere",
  schema: {
    hooks: {
      init: {
        // The scalars' names are known only then.
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
  if (!table) throw new Error(`there is no table ${tableName}`);
  const type = (name: string) => ({ type: build.getInputTypeByName(name) });
  const own = type(`${table.name}_bool_exp`);
  const several = { type: new GraphQLList(new GraphQLNonNull(own.type)) };
  return {
    _and: several,
    _or: several,
    _not: own,
    ...Object.fromEntries(
      comparable(table.readable).map((column) => [
        column.name,
        type(`${scalarName(build, column)}_comparison_exp`),
      ]),
    ),
    ...Object.fromEntries(
      table.relations.map(({ name, remote }) => [name, type(`${remote().name}_bool_exp`)]),
    ),
  };
}

function comparisonFields(build: GraphileBuild.Build, name: string, { codec }: Column) {
  const { GraphQLBoolean, GraphQLList, GraphQLNonNull } = build.graphql;
  const scalar = build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType;
  const several = new GraphQLList(new GraphQLNonNull(scalar));
  const special: Record<string, GraphQLInputType> = { _in: several, _nin: several, _is_null: GraphQLBoolean };
  const names = [...Object.keys(operators), ...(name === "String" ? Object.keys(textOperators) : [])];
  return Object.fromEntries(names.map((operator) => [operator, { type: special[operator] ?? scalar }]));
}

function scalarName(build: GraphileBuild.Build, { codec, name }: Column): string {
  const found = build.getGraphQLTypeNameByPgCodec(codec, "input");
  if (!found) throw new Error(`column ${name} has no GraphQL type`);
  return found;
}
