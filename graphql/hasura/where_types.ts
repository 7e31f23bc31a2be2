import {
  GraphQLBoolean,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLInputType,
} from "postgraphile/graphql";
import { compared, predicatesOf } from "./aggregate_predicates.ts";
import { operatorsOf } from "./operators.ts";
import { comparable, textCodec, type Column } from "./columns.ts";
import { rowTypesOf, tablesOf, type Table } from "./tables.ts";

const listOf = (type: GraphQLInputType) =>
  new GraphQLList(new GraphQLNonNull(type as GraphQLInputType & { name: string }));

const comparisonType = ({ scalar, codec }: Pick<Column, "scalar" | "codec">): string =>
  `${scalar}${codec.arrayOfCodec ? "_array" : ""}_comparison_exp`;

/**
 * Registers the types of `where`: user_session_bool_exp for each table, uuid_comparison_exp for each scalar, and the
 * predicates of aggregates.
 */
export const whereTypes: GraphileConfig.Plugin = {
  name: "LatchkeyWhere",
  schema: {
    hooks: {
      init: {
        // These plugins name the scalars.
        after: ["PgCodecs", "PgTablesPlugin"],
        callback(_, build) {
          const types = new Map<string, Pick<Column, "codec" | "scalar">>([
            ["String_comparison_exp", { codec: textCodec, scalar: "String" }],
          ]);
          for (const each of Object.values(compared)) types.set(comparisonType(each), each);
          const register = (name: string, fields: () => Record<string, { type: GraphQLInputType }>) =>
            build.registerInputObjectType(name, {}, () => ({ fields }), "the where argument");
          register("jsonb_cast_exp", () => ({ String: { type: build.getInputTypeByName("String_comparison_exp") } }));
          for (const table of rowTypesOf(build)) {
            for (const column of comparable(table.readable)) types.set(comparisonType(column), column);
            register(`${table.name}_bool_exp`, () => boolExpFields(build, table));
          }
          for (const table of aggregatedTables(build)) registerPredicates(build, table);
          for (const [name, column] of types) register(name, () => comparisonFields(build, column));
          return _;
        },
      },
    },
  },
};

/** X_aggregate_bool_exp, and for each of its functions an input type and the columns that it takes. */
function registerPredicates(build: GraphileBuild.Build, table: Table): void {
  const type = `${table.name}_aggregate_bool_exp`;
  const input = (name: string): GraphQLInputType => build.getInputTypeByName(name);
  const required = (of: GraphQLInputType) => ({ type: new GraphQLNonNull(of) as GraphQLInputType });
  const register = (name: string, fields: () => Record<string, { type: GraphQLInputType }>) =>
    build.registerInputObjectType(name, {}, () => ({ fields }), "the where argument");
  register(type, () =>
    Object.fromEntries(predicatesOf(table).map(([name]) => [name, { type: input(`${type}_${name}`) }])),
  );
  for (const [name, { compared: result, parameters }, columns] of predicatesOf(table)) {
    const columnEnum = `${table.name}_select_column_${type}_${name}_arguments_columns`;
    const argumentsType = (): { type: GraphQLInputType } => {
      if (name === "count") return { type: listOf(input(`${table.name}_select_column`)) };
      return required(input(parameters ? `${type}_${name}_arguments` : columnEnum));
    };
    if (name !== "count") {
      const values = Object.fromEntries(columns.map((column) => [column.name, { value: column.name }]));
      build.registerEnumType(columnEnum, {}, () => ({ values }), "the where argument");
    }
    if (parameters)
      register(`${type}_${name}_arguments`, () =>
        Object.fromEntries(parameters.map((parameter) => [parameter, required(input(columnEnum))])),
      );
    register(`${type}_${name}`, () => ({
      arguments: argumentsType(),
      distinct: { type: GraphQLBoolean },
      filter: { type: input(`${table.name}_bool_exp`) },
      predicate: required(input(`${result}_comparison_exp`)),
    }));
  }
}

/** The tables of which a row of another one has several. */
export const aggregatedTables = (build: GraphileBuild.Build): Set<Table> =>
  new Set(
    tablesOf(build).flatMap(({ relations }) =>
      relations.filter(({ isToMany }) => isToMany).map(({ remote }) => remote()),
    ),
  );

function boolExpFields(build: GraphileBuild.Build, table: Table) {
  const type = (name: string) => ({ type: build.getInputTypeByName(name) });
  const boolExp = type(`${table.name}_bool_exp`);
  const boolExps = { type: listOf(boolExp.type) };
  return {
    _and: boolExps,
    _or: boolExps,
    _not: boolExp,
    ...Object.fromEntries(comparable(table.readable).map((column) => [column.name, type(comparisonType(column))])),
    ...Object.fromEntries(table.relations.map(({ name, remote }) => [name, type(`${remote().name}_bool_exp`)])),
    ...Object.fromEntries(
      table.relations
        .filter(({ isToMany }) => isToMany)
        .map(({ name, remote }) => [`${name}_aggregate`, type(`${remote().name}_aggregate_bool_exp`)]),
    ),
  };
}

function comparisonFields(build: GraphileBuild.Build, { codec, scalar }: Pick<Column, "codec" | "scalar">) {
  const item = build.getInputTypeByName(scalar);
  const value = codec.arrayOfCodec ? listOf(item) : item;
  const types = {
    value: () => value,
    values: () => listOf(value),
    boolean: () => GraphQLBoolean,
    text: () => GraphQLString,
    texts: () => listOf(GraphQLString),
    cast: () => build.getInputTypeByName("jsonb_cast_exp"),
  };
  return Object.fromEntries(
    Object.entries(operatorsOf(codec, scalar)).map(([name, { operand }]) => [name, { type: types[operand]() }]),
  );
}
