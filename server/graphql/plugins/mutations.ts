import type { GraphQLInputType } from "postgraphile/graphql";
import { lambda, object, type FieldArgs, type Step } from "postgraphile/grafast";
import {
  deleteSql,
  insertSql,
  keyCondition,
  primaryKeyColumns,
  updateSql,
  whereCondition,
  type OnConflict,
  type Values,
} from "../mutations.ts";
import { tablesOf, type Column, type Table } from "../tables.ts";
import type { Where } from "../where.ts";
import { writtenRows, type WrittenRowsStep } from "../written_rows.ts";

/**
 * insert_X, update_X, delete_X and their forms for one row, where the role has the grant.
 * PostGraphile's own mutations take one row at a time, in Relay's shape of input and payload.
 */
export const mutations: GraphileConfig.Plugin = {
  name: "LatchkeyMutations",
  schema: {
    hooks: {
      init: {
        after: ["PgCodecs"],
        callback(_, build) {
          for (const table of tablesOf(build)) registerTypes(build, table);
          return _;
        },
      },
      GraphQLObjectType_fields(fields, build, { scope }) {
        if (!scope.isRootMutation) return fields;
        const added = tablesOf(build).map((table) => ({
          ...(table.insertable.length > 0 && insertFields(build, table)),
          ...(table.updatable.length > 0 && updateFields(build, table)),
          ...(table.deletable && deleteFields(build, table)),
        }));
        return build.extend(fields, Object.assign({}, ...added) as typeof fields, "mutations");
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

function columnFields(build: GraphileBuild.Build, columns: Column[], required: boolean) {
  const { GraphQLNonNull } = build.graphql;
  return Object.fromEntries(
    columns.map(({ name, codec }) => {
      const type = build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType;
      return [name, { type: required ? new GraphQLNonNull(type) : type }];
    }),
  );
}

interface InsertArguments {
  objects?: Values[];
  object?: Values;
  on_conflict?: OnConflict | null;
}

function insertFields(build: GraphileBuild.Build, table: Table) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const types = typesOf(build, table);
  const one = types.input("insert_input");
  const onConflict = { type: build.getInputTypeByName(`${table.name}_on_conflict`) };
  const statement = ({ objects, object, on_conflict }: InsertArguments) =>
    insertSql(table, objects ?? [object ?? {}], on_conflict);
  return {
    [`insert_${table.name}`]: {
      type: types.response,
      args: {
        objects: { type: new GraphQLNonNull(new GraphQLList(one)) },
        on_conflict: onConflict,
      },
      plan: (_: Step, $args: FieldArgs) =>
        writtenRows(table, argumentsStep<InsertArguments>($args, ["objects", "on_conflict"]), statement),
    },
    [`insert_${table.name}_one`]: {
      type: types.row,
      args: { object: { type: one }, on_conflict: onConflict },
      plan: (_: Step, $args: FieldArgs) =>
        writtenRows(
          table,
          argumentsStep<InsertArguments>($args, ["object", "on_conflict"]),
          statement,
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
        writtenRows(table, argumentsStep<UpdateArguments>($args, ["where", "_set"]), (given) =>
          updateSql(table, whereCondition(table, given.where), given._set),
        ),
    },
    [`update_${table.name}_by_pk`]: {
      type: types.row,
      args: { pk_columns: { type: types.input("pk_columns_input") }, _set: set },
      plan: (_: Step, $args: FieldArgs) =>
        writtenRows(table, argumentsStep<UpdateArguments>($args, ["pk_columns", "_set"]), (given) =>
          updateSql(table, keyCondition(table, given.pk_columns), given._set),
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
        writtenRows(table, argumentsStep<UpdateArguments>($args, ["where"]), ({ where }) =>
          deleteSql(table, whereCondition(table, where)),
        ),
    },
    [`delete_${table.name}_by_pk`]: {
      type: types.row,
      args: columnFields(build, key, true),
      plan: (_: Step, $args: FieldArgs) =>
        writtenRows(
          table,
          argumentsStep<Values>(
            $args,
            key.map(({ name }) => name),
          ),
          (given) => deleteSql(table, keyCondition(table, given)),
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

function argumentsStep<A>($args: FieldArgs, names: string[]): Step<A> {
  return object(Object.fromEntries(names.map((name) => [name, $args.getRaw(name)]))) as unknown as Step<A>;
}
