import { format, resolveConfig } from "prettier";
import { catalog, reasons } from "../http/problem.ts";

type Query = <Row extends object>(text: string) => Promise<Row[]>;

interface Attribute {
  name: string;
  type: string;
  comment: string | null;
}

interface ApiFunction {
  name: string;
  args: { name: string; type: string; default: string | null }[];
  returns: string;
}

const functionsQuery = `
  select p.proname as name, p.prorettype::regtype::text as returns, (
    select coalesce(json_agg(json_build_object(
      'name', a.name, 'type', format_type(a.type, null), 'default', pg_get_function_arg_default(p.oid, a.n::integer)) order by a.n), '[]')
    from unnest(p.proargnames, p.proargtypes::oid[]) with ordinality a (name, type, n) where a.type is not null
  ) as args
  from pg_proc p
  where p.pronamespace = 'api'::regnamespace and has_function_privilege('latchkey_server', p.oid, 'execute') order by 1`;

const attributesQuery = `
  select t.oid::regtype::text as type, json_agg(json_build_object(
    'name', a.attname, 'type', format_type(a.atttypid, null), 'comment', col_description(a.attrelid, a.attnum)) order by a.attnum) as attributes
  from pg_type t join pg_attribute a on a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
  where t.typnamespace in ('api'::regnamespace, 'private'::regnamespace) group by t.oid`;

const commentsQuery = `
  select p.pronamespace::regnamespace || '.' || p.proname as name, obj_description(p.oid, 'pg_proc') as comment
  from pg_proc p where p.pronamespace in ('api'::regnamespace, 'private'::regnamespace)`;

/** Times are in ISO 8601. */
const jsonTypes: Record<string, string> = {
  text: "z.string()",
  uuid: "z.string()",
  "timestamp with time zone": "z.string()",
  integer: "z.number()",
  numeric: "z.number()",
  boolean: "z.boolean()",
  jsonb: "z.unknown()",
};

/**
 * The source of server/database/api_catalog.ts: what the functions that the server may call take, return and refuse,
 * as the database's catalog and its comments say it. An attribute whose comment has "null:" may be null, and one whose comment
 * begins with "one of" is one of these texts. A function's errors are what its comment has after "Errors:", and what
 * the private functions have that it names after "those of".
 */
export async function apiCatalog(query: Query, path: string): Promise<string> {
  const functions = await query<ApiFunction>(functionsQuery);
  const types = new Map(
    (await query<{ type: string; attributes: Attribute[] }>(attributesQuery)).map(({ type, attributes }) => [
      type,
      attributes,
    ]),
  );
  const comments = new Map(
    (await query<{ name: string; comment: string | null }>(commentsQuery)).map(({ name, comment }) => [name, comment]),
  );

  const schemaOf = ({ type, comment }: Omit<Attribute, "name">): string => {
    const texts = /^one of (\w+(?:, \w+)*)/.exec(comment ?? "")?.[1]?.split(", ");
    const schema = texts ? `z.enum(${JSON.stringify(texts)})` : schemaOfType(type);
    return /\bnull:/.test(comment ?? "") ? `${schema}.nullable()` : schema;
  };
  const schemaOfType = (type: string): string => {
    if (type.endsWith("[]")) return `z.array(${schemaOfType(type.slice(0, -2))})`;
    const attributes = types.get(type);
    if (attributes) return objectOf(attributes);
    const schema = jsonTypes[type];
    if (schema === undefined) throw new Error(`scripts/api_catalog.ts does not know the JSON of type ${type}`);
    return schema;
  };
  const objectOf = (attributes: Attribute[]): string =>
    `z.object({ ${attributes
      .filter(({ type }) => type !== "api.error")
      .map((attribute) => `${attribute.name}: ${schemaOf(attribute)}`)
      .join(", ")} })`;

  const errorsOf = (name: string): string => {
    const [, text] = /Errors(?:, in this order)?: ([\s\S]*)/.exec(comments.get(name) ?? "") ?? [];
    if (text === undefined) throw new Error(`the comment of ${name} names no errors`);
    const references = text
      .split(";")
      .filter((clause) => clause.includes("those of"))
      .flatMap((clause) => clause.match(/\bprivate\.\w+/g) ?? []);
    return [text, ...references.map(errorsOf)].join("\n");
  };
  const namedIn = (text: string, names: string[]) =>
    JSON.stringify(names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)));
  const entryOf = ({ name, args, returns }: ApiFunction): string => {
    const errors = errorsOf(`api.${name}`);
    if (namedIn(errors, Object.keys(catalog)) === "[]" && errors !== "none.")
      throw new Error(`the comment of api.${name} has neither "Errors: none." nor the name of an error`);
    const types = args.map((arg) => `${arg.name}: "${arg.type}${arg.default?.startsWith("NULL") ? "?" : ""}"`);
    return `${name}: {
      args: { ${types.join(", ")} },
      returns: ${constantOf(returns)},
      errors: ${namedIn(errors, Object.keys(catalog))},
      reasons: ${namedIn(errors, reasons)},
    }`;
  };

  const answers = [...new Set(functions.map(({ returns }) => returns))].sort();
  const source = `import { z } from "zod";

/** Generated by npm run generate -- api from the database's catalog (scripts/api_catalog.ts): do not edit. */

${answers.map((type) => `const ${constantOf(type)} = ${objectOf(types.get(type) ?? [])};`).join("\n")}

export const functions = { ${functions.map(entryOf).join(",\n")} } as const;
`;
  return format(source, { ...(await resolveConfig(path)), parser: "typescript" });
}

/** api.session_answer: sessionAnswer. */
const constantOf = (type: string): string =>
  type.replace("api.", "").replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
