import { sql, type SQL } from "postgraphile/pg-sql2";
import { Refusal } from "../../refusal.ts";
import { column, parameter, type Column } from "../columns.ts";
import { type Table } from "../tables.ts";
import { whereSql, type Where } from "../where.ts";
import { target } from "./written_rows.ts";

export type Values = Record<string, unknown>;

export interface OnConflict {
  constraint: string;
  update_columns?: string[];
  where?: Where | null;
}

/** insert_user_session(objects: …, on_conflict: …) */
export function insertSql(
  table: Table,
  objects: Values[],
  onConflict: OnConflict | null | undefined,
  returned: SQL,
): SQL {
  if (objects.length === 0) throw new Refusal("validation-failed", "objects must hold at least one object.");
  const usedColumns = table.insertable.filter(({ name }) => objects.some((object) => object[name] !== undefined));
  // An object without columns inserts a row of defaults.
  const columns = usedColumns.length === 0 ? table.insertable : usedColumns;
  const rows = objects.map(
    (object) =>
      sql`(${sql.join(
        columns.map(({ name, codec }) => (object[name] === undefined ? sql`default` : parameter(codec, object[name]))),
        ", ",
      )})`,
  );
  return sql`insert into ${table.from} as ${target} (${columnList(columns)}) values ${sql.join(rows, ", ")}${
    onConflict ? onConflictSql(table, onConflict) : sql``
  } returning ${returned}`;
}

function onConflictSql(table: Table, { constraint, update_columns = [], where }: OnConflict): SQL {
  const conflict = sql` on conflict on constraint ${sql.identifier(constraint)}`;
  if (update_columns.length === 0) return sql`${conflict} do nothing`;
  const assignments = update_columns.map((name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`);
  const condition = where ? sql` where ${whereSql(table, target, where)}` : sql``;
  return sql`${conflict} do update set ${sql.join(assignments, ", ")}${condition}`;
}

/** delete_user_session(where: …) */
export const deleteSql = (table: Table, condition: SQL): SQL =>
  sql`delete from ${table.from} as ${target} where ${condition}`;

export const whereCondition = (table: Table, where: Where): SQL => whereSql(table, target, where);

export function keyCondition(table: Table, key: Values): SQL {
  const parts = table.primaryKey.map((each) => sql`${column(target, each)} = ${parameter(each.codec, key[each.name])}`);
  return sql`(${sql.join(parts, ") and (")})`;
}

const columnList = (columns: Column[]): SQL =>
  sql.join(
    columns.map(({ sqlName }) => sql.identifier(sqlName)),
    ", ",
  );
