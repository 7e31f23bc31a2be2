import type { PgCodec } from "postgraphile/@dataplan/pg";
import { lambda, type FieldArgs, type Step } from "postgraphile/grafast";
import { getNullableType, GraphQLString } from "postgraphile/graphql";
import { Refusal } from "../refusal.ts";
import { typeOf } from "./columns.ts";

/** Adds `path` to the fields of json and jsonb columns: value(path: "$.http.url"). */
export const jsonPaths: GraphileConfig.Plugin = {
  name: "LatchkeyJsonPaths",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field(field, _build, { scope }) {
        const { pgFieldAttribute: attribute, pgCodec } = scope as { pgFieldAttribute?: Attribute; pgCodec?: PgCodec };
        const attributes = (pgCodec?.attributes ?? {}) as Record<string, Attribute>;
        const [name] = Object.entries(attributes).find(([, each]) => each === attribute) ?? [];
        if (name === undefined || !attribute || !isJson(attribute.codec)) return field;
        const plan = ($row: Step & { get: (column: string) => Step }, $args: FieldArgs) =>
          lambda(
            [$row.get(name), $args.getRaw("path")] as never,
            ([value, path]: [unknown, string | null | undefined]) => (path == null ? value : valueAt(value, path)),
          );
        // Also that of a column that is never null: a path may lead to nothing.
        const type = getNullableType(field.type);
        return { ...field, type, args: { ...field.args, path: { type: GraphQLString } }, plan: plan as never };
      },
    },
  },
};

interface Attribute {
  codec: PgCodec;
}

const isJson = (codec: PgCodec): boolean => ["json", "jsonb"].includes(typeOf(codec));

const step = /^(?:\.?([^.[\]'"]+)|\[(\d+)\]|\[(?:'([^']+)'|"([^"]+)")\])/;

/** The value at a path as Hasura writes it: $.a.b[0], a.b, $['a']. Null if there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let rest = path.replace(/^\$/, "");
  let found = value;
  while (rest !== "") {
    const match = step.exec(rest);
    if (!match) throw new Refusal("validation-failed", "path must be a JSON path such as $.a.b[0].");
    const key = (match.slice(1) as (string | undefined)[]).find((part) => part !== undefined) ?? "";
    const isContainer = typeof found === "object" && found !== null && Object.hasOwn(found, key);
    found = isContainer ? (found as Record<string, unknown>)[key] : null;
    rest = rest.slice(match[0].length);
  }
  return found ?? null;
}
