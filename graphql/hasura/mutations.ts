import { object, type FieldArgs, type Step } from "postgraphile/grafast";
import {
  deleteSql,
  insertSql,
  keyCondition,
  primaryKeyColumns,
  updateSql,
  whereCondition,
  type OnConflict,
  type Values,
} from "./mutation_statements.ts";
import { tablesOf, type Table } from "./tables.ts";
import type { Where } from "./where_conditions.ts";
import { writtenRows } from "./written_rows_step.ts";
import { columnFields } from "./mutation_types.ts";

/**
 * Adds insert_X, update_X, delete_X and their forms for one row, as far as the role's grants allow.
 * PostGraphile's own mutations write one row each, and have Relay's input and payload types.
 */
export const mutations: GraphileConfig.Plugin = {
  name: "LatchkeyMutations",
  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, { scope }) {
        if (!scope.isRootMutation) return fields;
        const fieldsByTable = tablesOf(build).map((table) => ({
          ...(table.insertable.length > 0 && insertFields(build, table)),
          ...(table.updatable.length > 0 && updateFields(build, table)),
          ...(table.deletable && deleteFields(build, table)),
        }));
        return build.extend(fields, Object.assign({}, ...fieldsByTable) as typeof fields, "mutations");
      },
    },
  },
};

interface InsertArguments {
  objects?: Values[];
  object?: Values;
  on_conflict?: OnConflict | null;
}

function insertFields(build: GraphileBuild.Build, table: Table) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const types = typesOf(build, table);
  const row = types.input("insert_input");
  const onConflict = { type: build.getInputTypeByName(`${table.name}_on_conflict`) };
  const buildStatement = ({ objects, object, on_conflict }: InsertArguments) =>
    insertSql(table, objects ?? [object ?? {}], on_conflict);
  return {
    [`insert_${table.name}`]: {
      type: types.response,
      args: {
        objects: { type: new GraphQLNonNull(new GraphQLList(row)) },
        on_conflict: onConflict,
      },
      plan: (_: Step, $args: FieldArgs) =>
        writtenRows(
          `insert_${table.name}`,
          table,
          argumentsStep<InsertArguments>($args, ["objects", "on_conflict"]),
          buildStatement,
        ),
    },
    [`insert_${table.name}_one`]: {
      type: types.row,
      args: { object: { type: row }, on_conflict: onConflict },
      plan: (_: Step, $args: FieldArgs) =>
        writtenRows(
          `insert_${table.name}_one`,
          table,
          argumentsStep<InsertArguments>($args, ["object", "on_conflict"]),
          buildStatement,
        ).first(),
    },
  };
}

interface UpdateArguments {
  where: Where;
  pk_columns: Values;
  _set: Values;
}

function updateFields(build: GraphileBuild.Build, table: Table) {
  const types = typesOf(build, table);
  const set = { type: types.input("set_input") };
  return {
    [`update_${table.name}`]: {
      type: types.response,
      args: { where: { type: types.input("bool_exp") }, _set: set },
      plan: (_: Step, $args: FieldArgs) =>
        writtenRows(
          `update_${table.name}`,
          table,
          argumentsStep<UpdateArguments>($args, ["where", "_set"]),
          ({ where, _set }) => updateSql(table, whereCondition(table, where), _set),
        ),
    },
    [`update_${table.name}_by_pk`]: {
      type: types.row,
      args: { pk_columns: { type: types.input("pk_columns_input") }, _set: set },
      plan: (_: Step, $args: FieldArgs) =>
        writtenRows(
          `update_${table.name}_by_pk`,
          table,
          argumentsStep<UpdateArguments>($args, ["pk_columns", "_set"]),
          ({ pk_columns, _set }) => updateSql(table, keyCondition(table, pk_columns), _set),
        ).first(),
    },
  };
}

function deleteFields(build: GraphileBuild.Build, table: Table) {
  const types = typesOf(build, table);
  const key = primaryKeyColumns(table);
  return {
    [`delete_${table.name}`]: {
      type: types.response,
      args: { where: { type: types.input("bool_exp") } },
      plan: (_: Step, $args: FieldArgs) =>
        writtenRows(`delete_${table.name}`, table, argumentsStep<UpdateArguments>($args, ["where"]), ({ where }) =>
          deleteSql(table, whereCondition(table, where)),
        ),
    },
    [`delete_${table.name}_by_pk`]: {
      type: types.row,
      args: columnFields(build, key, true),
      plan: (_: Step, $args: FieldArgs) =>
        writtenRows(
          `delete_${table.name}_by_pk`,
          table,
          argumentsStep<Values>(
            $args,
            key.map(({ name }) => name),
          ),
          (values) => deleteSql(table, keyCondition(table, values)),
        ).first(),
    },
  };
}

function typesOf(build: GraphileBuild.Build, { name }: Table) {
  const { GraphQLNonNull } = build.graphql;
  return {
    row: build.getOutputTypeByName(name),
    response: build.getOutputTypeByName(`${name}_mutation_response`),
    input: (suffix: string) => new GraphQLNonNull(build.getInputTypeByName(`${name}_${suffix}`)),
  };
}

/** A step whose value is an object of the arguments. */
function argumentsStep<A>($args: FieldArgs, names: string[]): Step<A> {
  return object(Object.fromEntries(names.map((name) => [name, $args.getRaw(name)]))) as unknown as Step<A>;
}
