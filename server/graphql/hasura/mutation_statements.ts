import { sql, type SQL } from "postgraphile/pg-sql2";
import { Refusal } from "../engine/refusal.ts";
import { parameter, type Column, type Table } from "./tables.ts";
import { whereSql, type Where } from "./where_conditions.ts";
import { readableColumns, written } from "./written_rows_step.ts";

export type Values = Record<string, unknown>;

export interface OnConflict {
  constraint: string;
  update_columns?: string[];
  where?: Where | null;
}

/** insert_user_session(objects: …, on_conflict: …) */
export function insertSql(table: Table, objects: Values[], onConflict?: OnConflict | null): SQL {
  if (objects.length === 0) throw new Refusal("validation-failed", "objects must hold at least one object.");
  const named = table.insertable.filter(({ name }) => objects.some((object) => object[name] !== undefined));
  // To say nothing of any column is to ask for its default.
  const columns = named.length === 0 ? table.insertable : named;
  const rows = objects.map(
    (object) =>
      sql`(${sql.join(
        columns.map(({ name, codec }) =>
          object[name] === undefined ? sql`default` : parameter(codec, object[name]),
        ),
        ", ",
      )})`,
  );
  return sql`insert into ${table.from} as ${written} (${names(columns)}) values ${sql.join(rows, ", ")}${
    onConflict ? onConflictSql(table, onConflict) : sql``
  } returning ${readableColumns(table)}`;
}

function onConflictSql(table: Table, { constraint, update_columns = [], where }: OnConflict): SQL {
  const target = sql` on conflict on constraint ${sql.identifier(constraint)}`;
  if (update_columns.length === 0) return sql`${target} do nothing`;
  const changes = update_columns.map(
    (name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  );
  const condition = where ? sql` where ${whereSql(table, written, where)}` : sql``;
  return sql`${target} do update set ${sql.join(changes, ", ")}${condition}`;
}

/** update_user_session(where: …, _set: …) */
export function updateSql(table: Table, condition: SQL, set: Values): SQL {
  const changed = table.updatable.filter(({ name }) => set[name] !== undefined);
  if (changed.length === 0) throw new Refusal("validation-failed", "_set must hold at least one column.");
  const changes = changed.map(
    ({ name, codec }) => sql`${sql.identifier(name)} = ${parameter(codec, set[name])}`,
  );
  return sql`update ${table.from} as ${written} set ${sql.join(changes, ", ")} where ${condition} returning ${readableColumns(table)}`;
}

/** delete_user_session(where: …) */
export const deleteSql = (table: Table, condition: SQL): SQL =>
  sql`delete from ${table.from} as ${written} where ${condition} returning ${readableColumns(table)}`;

export const whereCondition = (table: Table, where: Where): SQL => whereSql(table, written, where);

export function keyCondition(table: Table, key: Values): SQL {
  const parts = primaryKeyColumns(table).map(
    ({ name, codec }) => sql`${written}.${sql.identifier(name)} = ${parameter(codec, key[name])}`,
  );
  return sql`(${sql.join(parts, ") and (")})`;
}

export const primaryKeyColumns = ({ readable, primaryKey }: Table): Column[] =>
  readable.filter(({ name }) => primaryKey.includes(name));

const names = (columns: Column[]): SQL =>
  sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    ", ",
  );
