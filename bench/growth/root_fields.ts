import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from "graphql";

/** A query that reads an exposed table. */
export interface Read {
  table: string;
  /** For example "by user_id": the list ordered by that column. */
  name: string;
  query: string;
  /** The column whose value is the variable `$key`; undefined if the query has no variable. */
  key: string | undefined;
}

const folder = join(import.meta.dirname, "..", "..", "server", "graphql", "hasura");

/** Returns a read for every query field of a role's schema; lists also once for each column that they can be ordered by. */
export function readsOf(audience: "user" | "admin"): Read[] {
  const schema = buildSchema(readFileSync(join(folder, `schema.${audience}.graphql`), "utf8"));
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  return fields.flatMap(({ name, type, args }): Read[] => {
    // A function of the admin's, and not a table.
    if (!name.endsWith("_by_pk") && args.some(isRequiredArgument)) return [];
    const table = name.replace(/_(aggregate|by_pk)$/, "");
    const returned = getNamedType(type);
    if (name.endsWith("_aggregate"))
      return [{ table, name: "count", query: `{ ${name} { aggregate { count } } }`, key: undefined }];
    const columns = isObjectType(returned)
      ? Object.values(returned.getFields())
          .filter((field) => isLeafType(getNamedType(field.type)) && field.args.length === 0)
          .map((field) => field.name)
      : [];
    if (name.endsWith("_by_pk")) {
      const [key] = args.map((arg) => ({ name: arg.name, type: String(arg.type) }));
      if (!key) throw new Error(`${name} takes no key`);
      const query = `query ($key: ${key.type}) { ${name}(${key.name}: $key) { ${columns.join(" ")} } }`;
      return [{ table, name: "by primary key", query, key: key.name }];
    }
    const order = schema.getType(`${table}_order_by`);
    if (!isInputObjectType(order)) throw new Error(`${table} has no order_by`);
    const ordered = Object.values(order.getFields()).filter((field) => isEnumType(getNamedType(field.type)));
    const list = (args: string) => `{ ${name}${args} { ${columns.join(" ")} } }`;
    return [
      { table, name: "list", query: list(""), key: undefined },
      ...ordered.map((column) => ({
        ...{ table, name: `by ${column.name}`, key: undefined },
        query: list(`(order_by: [{ ${column.name}: desc }])`),
      })),
    ];
  });
}
