import {
  GraphQLBoolean,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLInputType,
} from "postgraphile/graphql";
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
          const types = new Map([["String_comparison_exp", { codec: textCodec, scalar: "String" } as Column]]);
          const int = { codec: { ...textCodec, name: "int4" }, scalar: "Int" } as Column;
          types.set("Int_comparison_exp", int);
          const register = (name: string, fields: () => Record<string, { type: GraphQLInputType }>) =>
            build.registerInputObjectType(name, {}, () => ({ fields }), "the where argument");
          register("jsonb_cast_exp", () => ({ String: { type: build.getInputTypeByName("String_comparison_exp") } }));
          for (const table of rowTypesOf(build)) {
            for (const column of comparable(table.readable)) types.set(comparisonType(column), column);
            register(`${table.name}_bool_exp`, () => boolExpFields(build, table));
          }
          for (const table of aggregatedTables(build)) {
            register(`${table.name}_aggregate_bool_exp`, () => ({
              count: { type: build.getInputTypeByName(`${table.name}_aggregate_bool_exp_count`) },
            }));
            register(`${table.name}_aggregate_bool_exp_count`, () => ({
              arguments: { type: listOf(build.getInputTypeByName(`${table.name}_select_column`)) },
              distinct: { type: GraphQLBoolean },
              filter: { type: build.getInputTypeByName(`${table.name}_bool_exp`) },
              predicate: { type: new GraphQLNonNull(build.getInputTypeByName("Int_comparison_exp")) },
            }));
          }
          for (const [name, column] of types) register(name, () => comparisonFields(build, column));
          return _;
        },
      },
    },
  },
};

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

function comparisonFields(build: GraphileBuild.Build, { codec, scalar }: Column) {
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
