import type { PgClient } from "postgraphile/@dataplan/pg";
import { Refusal } from "../../refusal.ts";
import { insertSql, type OnConflict, type Values } from "./mutation_statements.ts";
import type { Relation, Table } from "../tables.ts";
import { writeRows, type WrittenRows } from "./written_rows.ts";

interface Insert {
  objects: Values[];
  on_conflict?: OnConflict | null | undefined;
}

/** What a nested insert has in place of a column: {data: …, on_conflict: …}. */
interface Nested {
  data: Values | Values[];
  on_conflict?: OnConflict | null;
}

/**
 * Inserts objects with the rows of their relations: first the rows that they reference, then themselves, then those that
 * reference them, all in the request's transaction.
 * @param returned the columns that the rows have
 */
export async function insertRows(
  client: PgClient,
  action: string,
  table: Table,
  { objects, on_conflict: onConflict }: Insert,
  returned: ReadonlySet<string>,
): Promise<WrittenRows> {
  const isNested = (object: Values) => table.relations.some(({ name }) => object[name] != null);
  if (!objects.some(isNested))
    return writeRows(client, { action, table, args: { objects } }, returned, (list) =>
      insertSql(table, objects, onConflict, list),
    );

  const rows: WrittenRows = Object.assign([], { affected: 0 });
  for (const object of objects) {
    const columns: Values = { ...object };
    for (const relation of given(table, object, false)) {
      const nested = object[relation.name] as Nested;
      const { row, affected } = await insertReferenced(client, action, relation, nested);
      rows.affected += affected;
      for (const [index, local] of relation.localColumns.entries())
        columns[nameOf(table, local)] = row[relation.remoteColumns[index] ?? ""];
    }
    const backward = given(table, object, true);
    const keys = backward.flatMap(({ localColumns }) => localColumns);
    const inserted = await writeRows(
      client,
      { action, table, args: { objects: [columns] } },
      new Set([...returned, ...keys]),
      (list) => insertSql(table, [columns], onConflict, list),
    );
    rows.push(...inserted);
    rows.affected += inserted.length;
    const [row] = inserted;
    if (!row && backward.length > 0)
      throw new Refusal("constraint-violation", "on_conflict left an object out, so nothing can belong to it.");
    for (const relation of backward) {
      const { data, on_conflict: conflict } = object[relation.name] as Nested;
      const remote = relation.remote();
      const children = (Array.isArray(data) ? data : [data]).map((child) => {
        const key = relation.remoteColumns.map((name, index) => [
          nameOf(remote, name),
          row?.[relation.localColumns[index] ?? ""],
        ]);
        return { ...child, ...(Object.fromEntries(key) as Values) };
      });
      if (children.length === 0) continue;
      rows.affected += (
        await insertRows(client, action, remote, { objects: children, on_conflict: conflict }, new Set())
      ).affected;
    }
  }
  return rows;
}

const given = ({ relations }: Table, object: Values, isBackward: boolean): Relation[] =>
  relations.filter((relation) => relation.isBackward === isBackward && object[relation.name] != null);

/** The name of a key's column among the values of an object. */
const nameOf = ({ insertable }: Table, sqlName: string): string => {
  const found = insertable.find((each) => each.sqlName === sqlName);
  if (!found) throw new Refusal("permission-error", `This role may not set ${sqlName}, which a nested insert needs.`);
  return found.name;
};

async function insertReferenced(client: PgClient, action: string, relation: Relation, { data, on_conflict }: Nested) {
  const { remoteColumns, remote, name } = relation;
  const inserted = await insertRows(
    client,
    action,
    remote(),
    { objects: [data as Values], on_conflict },
    new Set(remoteColumns),
  );
  const [row] = inserted;
  if (!row)
    throw new Refusal(
      "constraint-violation",
      `${name}: nothing was inserted, because of its on_conflict, and no row can be referenced.`,
    );
  return { row, affected: inserted.affected };
}
