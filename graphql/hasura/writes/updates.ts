import type { PgCodec } from "postgraphile/@dataplan/pg";
import { listOfCodec } from "postgraphile/@dataplan/pg";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { Refusal } from "../../refusal.ts";
import type { Values } from "./mutation_statements.ts";
import { readValues } from "../phone_arguments.ts";
import { column, parameter, textCodec, typeOf, type Column } from "../columns.ts";
import { type Table } from "../tables.ts";
import { target } from "./written_rows.ts";

interface UpdateOperator {
  appliesTo: (column: Column) => boolean;
  /** The type of its operand; undefined: the column's. */
  operand?: "String" | "Int" | "[String!]";
  /** @param old the column's value */
  toSql: (old: SQL, value: unknown, codec: PgCodec) => SQL;
}

const numbers = new Set("int2 int4 int8 float4 float8 numeric money interval".split(" "));
const isNumber = ({ codec }: Column): boolean => numbers.has(typeOf(codec));
const isJsonb = ({ codec }: Column): boolean => typeOf(codec) === "jsonb";
const texts = listOfCodec(textCodec as PgCodec & { arrayOfCodec?: never }) as PgCodec;

/** The arguments of an update that say what becomes of a column, by their names. */
export const updateOperators: Record<string, UpdateOperator> = {
  _set: { appliesTo: () => true, toSql: (_old, value, codec) => parameter(codec, value) },
  _inc: { appliesTo: isNumber, toSql: (old, value, codec) => sql`${old} + ${parameter(codec, value)}` },
  _append: { appliesTo: isJsonb, toSql: (old, value, codec) => sql`${old} || ${parameter(codec, value)}` },
  _prepend: { appliesTo: isJsonb, toSql: (old, value, codec) => sql`${parameter(codec, value)} || ${old}` },
  _delete_key: {
    appliesTo: isJsonb,
    operand: "String",
    toSql: (old, value) => sql`${old} - ${sql.value(value as string)}::text`,
  },
  _delete_elem: {
    appliesTo: isJsonb,
    operand: "Int",
    toSql: (old, value) => sql`${old} - ${sql.value(value as number)}::integer`,
  },
  _delete_at_path: {
    appliesTo: isJsonb,
    operand: "[String!]",
    toSql: (old, value) => sql`${old} #- ${parameter(texts, value)}`,
  },
};

/** The operators that the table has columns for, with these columns. */
export const updateOperatorsOf = ({
  updatable,
}: Table): [name: string, operator: UpdateOperator, columns: Column[]][] =>
  Object.entries(updateOperators).flatMap(([name, operator]) => {
    const columns = updatable.filter(operator.appliesTo);
    return columns.length > 0 ? [[name, operator, columns] as [string, UpdateOperator, Column[]]] : [];
  });

export type Changes = Partial<Record<string, Values | null>>;

/** update_user_session(where: …, _set: …). @param returned the select list of what it returns */
export function updateSql(table: Table, condition: SQL, changes: Changes, returned: SQL): SQL {
  const given = updateOperatorsOf(table).filter(([name]) => changes[name]);
  if (given.length === 0)
    throw new Refusal("validation-failed", `One of ${Object.keys(updateOperators).join(", ")} is required.`);
  const changed = new Set<string>();
  const assignments = given.flatMap(([name, operator, columns]) => {
    const given = changes[name] ?? {};
    const values = table.isOwn && name === "_set" ? readValues(given) : given;
    return columns
      .filter((each) => values[each.name] !== undefined)
      .map((each) => {
        if (changed.has(each.name))
          throw new Refusal("validation-failed", `The column ${each.name} is in several operators of one update.`);
        changed.add(each.name);
        return sql`${sql.identifier(each.sqlName)} = ${operator.toSql(column(target, each), values[each.name], each.codec)}`;
      });
  });
  // As in Hasura, an update of no column affects no row.
  if (assignments.length === 0) return sql`select ${returned} from ${table.from} as ${target} where false`;
  return sql`update ${table.from} as ${target} set ${sql.join(assignments, ", ")} where ${condition} returning ${returned}`;
}
