import { listOfCodec, type PgCodec } from "postgraphile/@dataplan/pg";
import { GraphQLError, type GraphQLScalarTypeConfig } from "postgraphile/graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";

/** Types for which PostGraphile's scalars are Hasura's, but for json and timestamp. */
const builtInTypes = new Set(
  "bool int2 int4 int8 float4 float8 numeric text varchar bpchar char name uuid timestamptz jsonb void".split(" "),
);

/** Types of extensions, whose names are the same whichever schema holds them. */
const extensionTypes = new Set(["citext", "ltree", "lquery", "ltxtquery", "hstore", "vector", "geometry", "geography"]);

/** Codecs of these plugins, with the names of their scalars. */
const scalarNames = new WeakMap<PgCodec, string>();

/** The scalars whose values are PostgreSQL's text. */
const textScalars = new Set(["bigint", "numeric"]);

/**
 * Gives every other type a scalar with the type's name, whose values are PostgreSQL's text: date, interval, int4range,
 * bytea, an enum, a type of an extension. PostGraphile has objects for some, and enums in GraphQL: Hasura's documents
 * hold text.
 */
export const columnTypes: GraphileConfig.Plugin = {
  name: "LatchkeyColumnTypes",
  before: ["PgCodecsPlugin"],
  gather: {
    hooks: {
      async pgCodecs_findPgCodec(info, event) {
        const { pgType, serviceName } = event;
        const { typname, typtype } = pgType;
        const namespace = pgType.getNamespace();
        const schemaName = namespace?.nspname ?? "";
        if (event.pgCodec || (schemaName === "pg_catalog" && builtInTypes.has(typname))) return;
        const element = await info.helpers.pgIntrospection.getTypeByArray(serviceName, pgType._id);
        if (element && schemaName === "pg_catalog" && !builtInTypes.has(element.typname)) {
          const codec = await info.helpers.pgCodecs.getCodecFromType(serviceName, element._id);
          // PostGraphile has codecs for these arrays, whose elements would not be ours.
          event.pgCodec = codec && listOfCodec(codec as never, { typeDelim: element.typdelim ?? "," });
          return;
        }
        // Other arrays and domains use the codec of what they are made of.
        if (pgType.typcategory === "A" || !namespace || !["b", "e", "r", "m"].includes(typtype ?? "")) return;
        const prefix =
          schemaName === "pg_catalog" || extensionTypes.has(typname)
            ? ""
            : info.inflection._schemaPrefix({ pgNamespace: namespace, serviceName });
        const codec = textCodec(`${prefix}${typname}`, schemaName, typname, pgType._id);
        scalarNames.set(codec, typname === "json" ? "json" : `${prefix}${typname}`.replace(/\W/g, "_"));
        event.pgCodec = codec;
      },
    },
  },
  schema: {
    hooks: {
      init: {
        before: ["PgCodecs"],
        callback(_, build) {
          for (const codec of build.allPgCodecs) {
            const name = scalarNames.get(codec);
            if (name === undefined) continue;
            if (!build.getTypeMetaByName(name)) {
              const spec = name === "json" ? jsonScalar : textScalar(name);
              build.registerScalarType(name, {}, () => spec, "column types");
            }
            build.setGraphQLTypeForPgCodec(codec, ["input", "output"], name);
          }
          // A domain has the scalar of its type.
          for (const codec of build.allPgCodecs) {
            const base = codec.domainOfCodec as PgCodec | undefined;
            const name = base && build.getGraphQLTypeNameByPgCodec(base, "output");
            if (name && !build.hasGraphQLTypeForPgCodec(codec))
              build.setGraphQLTypeForPgCodec(codec, ["input", "output"], name);
          }
          return _;
        },
      },
      GraphQLScalarType: (config) =>
        textScalars.has(config.name) ? { ...config, ...textScalar(config.name) } : config,
    },
  },
};

type ScalarSpec = Omit<GraphQLScalarTypeConfig<unknown, unknown>, "name">;

/** @param name the codec's, which no other may have */
const textCodec = (name: string, schemaName: string, typeName: string, oid: string): PgCodec => ({
  name,
  sqlType: sql.identifier(schemaName, typeName),
  fromPg: (text: string) => {
    if (typeName === "json") return JSON.parse(text) as unknown;
    // An element of an array has a blank there.
    return typeName === "timestamp" ? text.replace(" ", "T") : text;
  },
  toPg: (value: unknown) => (typeName === "json" ? JSON.stringify(value) : String(value)),
  // As JSON writes it: with a T.
  ...(typeName === "timestamp" && { castFromPg: (value: SQL) => sql`to_json(${value}) #>> '{}'` }),
  attributes: undefined,
  executor: null,
  extensions: { oid, pg: { serviceName: "main", schemaName, name: typeName } },
});

const textScalar = (name: string): ScalarSpec => {
  const read = (value: unknown): string => {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
    throw new GraphQLError(`${name} must be text, as PostgreSQL reads it.`);
  };
  return {
    description: `PostgreSQL's type ${name}, as its text.`,
    serialize: (value) => String(value),
    parseValue: read,
    parseLiteral: (node) => read("value" in node ? node.value : undefined),
  };
};

const jsonScalar: ScalarSpec = {
  description: "PostgreSQL's type json.",
  serialize: (value) => value,
  parseValue: (value) => value,
};
