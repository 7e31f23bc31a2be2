import { object, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLInputType } from "postgraphile/graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import {
  deleteSql,
  insertSql,
  keyCondition,
  updateSql,
  whereCondition,
  type OnConflict,
  type Values,
} from "./mutation_statements.ts";
import { columnFields } from "./mutation_types.ts";
import { tablesOf, type Table } from "./tables.ts";
import type { Where } from "./where.ts";
import { writtenRows } from "./written_rows.ts";

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
        const mutationFields = tablesOf(build).flatMap((table) => fieldsOf(build, table));
        return build.extend(fields, Object.fromEntries(mutationFields) as typeof fields, "mutations");
      },
    },
  },
};

/** The arguments of all mutations; each has those of its kind. */
interface Arguments {
  objects?: Values[];
  object: Values;
  on_conflict?: OnConflict | null;
  where: Where;
  pk_columns: Values;
  _set: Values;
}

function fieldsOf(build: GraphileBuild.Build, table: Table) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const { name } = table;
  const hasKey = table.primaryKey.length > 0;
  const input = (suffix: string) => ({ type: new GraphQLNonNull(build.getInputTypeByName(`${name}_${suffix}`)) });

  const field = (
    fieldName: string,
    isOneRow: boolean,
    args: Record<string, { type: GraphQLInputType }>,
    buildStatement: (args: Arguments) => SQL,
  ) => {
    const type = build.getOutputTypeByName(isOneRow ? name : `${name}_mutation_response`);
    const plan = (_: Step, $args: FieldArgs) => {
      const $values = object(Object.fromEntries(Object.keys(args).map((arg) => [arg, $args.getRaw(arg)])));
      const $rows = writtenRows(
        fieldName,
        table,
        $values as unknown as Step<Arguments>,
        (values, returned) => sql`${buildStatement(values)} returning ${returned}`,
      );
      return isOneRow ? $rows.first() : $rows;
    };
    return [fieldName, { type, args, plan }] as const;
  };

  const inserts = () => {
    const objects = { type: new GraphQLNonNull(new GraphQLList(input("insert_input").type)) };
    const on_conflict = table.constraints.length > 0 && { type: build.getInputTypeByName(`${name}_on_conflict`) };
    const conflicts = { ...(on_conflict && { on_conflict }) };
    const insert = (args: Arguments) => insertSql(table, args.objects ?? [args.object], args.on_conflict);
    return [
      field(`insert_${name}`, false, { objects, ...conflicts }, insert),
      field(`insert_${name}_one`, true, { object: input("insert_input"), ...conflicts }, insert),
    ];
  };
  const updates = () => [
    field(`update_${name}`, false, { where: input("bool_exp"), _set: input("set_input") }, ({ where, _set }) =>
      updateSql(table, whereCondition(table, where), _set),
    ),
    ...(hasKey
      ? [
          field(
            `update_${name}_by_pk`,
            true,
            { pk_columns: input("pk_columns_input"), _set: input("set_input") },
            ({ pk_columns, _set }) => updateSql(table, keyCondition(table, pk_columns), _set),
          ),
        ]
      : []),
  ];
  const deletes = () => [
    field(`delete_${name}`, false, { where: input("bool_exp") }, ({ where }) =>
      deleteSql(table, whereCondition(table, where)),
    ),
    ...(hasKey
      ? [
          field(`delete_${name}_by_pk`, true, columnFields(build, table.primaryKey, true), (key) =>
            deleteSql(table, keyCondition(table, key as unknown as Values)),
          ),
        ]
      : []),
  ];
  return [
    ...(table.insertable.length > 0 ? inserts() : []),
    ...(table.updatable.length > 0 ? updates() : []),
    ...(table.deletable ? deletes() : []),
  ];
}
