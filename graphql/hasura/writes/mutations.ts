import type { PgClient } from "postgraphile/@dataplan/pg";
import { object, type FieldArgs, type Step } from "postgraphile/grafast";
import type { GraphQLInputType, GraphQLOutputType } from "postgraphile/graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { insertRows } from "./inserts.ts";
import { deleteSql, keyCondition, whereCondition, type OnConflict, type Values } from "./mutation_statements.ts";
import { columnFields, updateArguments } from "./mutation_types.ts";
import { tablesOf, type Table } from "../tables.ts";
import { updateSql, type Changes } from "./updates.ts";
import type { Where } from "../where.ts";
import { writeRows, writtenLists, writtenRows, type WrittenRows } from "./written_rows.ts";

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
type Arguments = Changes & {
  objects?: Values[];
  object: Values;
  on_conflict?: OnConflict | null;
  where: Where;
  pk_columns: Values;
  updates: (Changes & { where: Where })[];
};
type Args = Record<string, { type: GraphQLInputType }>;
type Write<Result> = (
  action: string,
) => (client: PgClient, args: Arguments, returned: ReadonlySet<string>) => Promise<Result>;

function fieldsOf(build: GraphileBuild.Build, table: Table) {
  const { GraphQLList, GraphQLNonNull } = build.graphql;
  const { name, insertable, updatable, deletable, constraints, primaryKey } = table;
  const input = (suffix: string) => ({ type: new GraphQLNonNull(build.getInputTypeByName(`${name}_${suffix}`)) });
  if (insertable.length + updatable.length === 0 && !deletable) return [];
  const response = build.getOutputTypeByName(`${name}_mutation_response`);
  const row = build.getOutputTypeByName(name);

  const valuesOf = (args: Args, $args: FieldArgs) =>
    object(Object.fromEntries(Object.keys(args).map((arg) => [arg, $args.getRaw(arg)]))) as unknown as Step<Arguments>;
  const field = (fieldName: string, type: GraphQLOutputType, args: Args, write: Write<WrittenRows>) => {
    const plan = (_: Step, $args: FieldArgs) => {
      const $rows = writtenRows(table, valuesOf(args, $args), write(fieldName));
      return type === row ? $rows.first() : $rows;
    };
    return [fieldName, { type, args, plan }] as const;
  };
  /** Writes by one statement. */
  const by =
    (buildStatement: (args: Arguments, list: SQL) => SQL): Write<WrittenRows> =>
    (action) =>
    (client, args, returned) =>
      writeRows(client, { action, table, args }, returned, (list) => buildStatement(args, list));

  const inserts = () => {
    const objects = { type: new GraphQLNonNull(new GraphQLList(input("insert_input").type)) };
    const conflicts: Args =
      constraints.length > 0 ? { on_conflict: { type: build.getInputTypeByName(`${name}_on_conflict`) } } : {};
    const insert: Write<WrittenRows> = (action) => (client, args, returned) =>
      insertRows(
        client,
        action,
        table,
        { objects: args.objects ?? [args.object], on_conflict: args.on_conflict },
        returned,
      );
    return [
      field(`insert_${name}`, response, { objects, ...conflicts }, insert),
      field(`insert_${name}_one`, row, { object: input("insert_input"), ...conflicts }, insert),
    ];
  };
  const updates = () => {
    const changes = updateArguments(build, table);
    const updateMany: Write<WrittenRows[]> = (action) => async (client, args, returned) => {
      const lists: WrittenRows[] = [];
      for (const update of args.updates)
        lists.push(
          await writeRows(client, { action, table, args: update }, returned, (list) =>
            updateSql(table, whereCondition(table, update.where), update, list),
          ),
        );
      return lists;
    };
    const many: Args = { updates: { type: new GraphQLNonNull(new GraphQLList(input("updates").type)) } };
    const planMany = (_: Step, $args: FieldArgs) =>
      writtenLists(table, valuesOf(many, $args), updateMany(`update_${name}_many`));
    return [
      field(
        `update_${name}`,
        response,
        { where: input("bool_exp"), ...changes },
        by((args, list) => updateSql(table, whereCondition(table, args.where), args, list)),
      ),
      [`update_${name}_many`, { type: new GraphQLList(response), args: many, plan: planMany }] as const,
      ...(primaryKey.length > 0
        ? [
            field(
              `update_${name}_by_pk`,
              row,
              { pk_columns: input("pk_columns_input"), ...changes },
              by((args, list) => updateSql(table, keyCondition(table, args.pk_columns), args, list)),
            ),
          ]
        : []),
    ];
  };
  const deleteBy = (condition: (args: Arguments) => SQL) =>
    by((args, list) => sql`${deleteSql(table, condition(args))} returning ${list}`);
  const deletes = () => [
    field(
      `delete_${name}`,
      response,
      { where: input("bool_exp") },
      deleteBy(({ where }) => whereCondition(table, where)),
    ),
    ...(primaryKey.length > 0
      ? [
          field(
            `delete_${name}_by_pk`,
            row,
            columnFields(build, primaryKey, true),
            deleteBy((key) => keyCondition(table, key)),
          ),
        ]
      : []),
  ];
  return [
    ...(insertable.length > 0 ? inserts() : []),
    ...(updatable.length > 0 ? updates() : []),
    ...(deletable ? deletes() : []),
  ];
}
