/** Hasura's names for PostGraphile's types. */
const builtins: Record<string, string> = {
  Query: "query_root",
  Mutation: "mutation_root",
  Subscription: "subscription_root",
  UUID: "uuid",
  Datetime: "timestamptz",
  JSON: "jsonb",
  BigInt: "bigint",
};

type Inflector = (previous: unknown, options: unknown, text: string) => string;
const underscored: Inflector = (_previous, _options, text) => text.replace(/\W+/g, "_");
const unchanged: Inflector = (_previous, _options, text) => text;

const relationOf = ({ registry, codec, relationName }: GraphileBuild.PgRelationsPluginRelationDetails) =>
  registry.pgRelations[codec.name as string]?.[relationName];

/**
 * Uses the database's names, with the schema as a table's prefix: user_session. PostGraphile's own inflection makes
 * them plural and camel case.
 */
export const inflection: GraphileConfig.Plugin = {
  name: "LatchkeyInflection",
  inflection: {
    replace: {
      camelCase: underscored,
      upperCamelCase: underscored,
      constantCase: underscored,
      pluralize: unchanged,
      singularize: unchanged,
      builtin: (_previous, _options, name) => builtins[name] ?? name,
      _schemaPrefix: (_previous, _options, { pgNamespace }) => `${pgNamespace.nspname}_`,
      // PostGraphile would rename a column "id" to "row_id", because Relay's global id has that name.
      _attributeName: (_previous, _options, { attributeName }) => attributeName,
      allRowsList(_previous, _options, resource) {
        return this._resourceName(resource);
      },
      rowByUnique(_previous, _options, { resource }) {
        return `${this._resourceName(resource)}_by_pk`;
      },
      // The column user_id references an account: the field is `user`.
      singleRelation: (_previous, _options, details) =>
        String(relationOf(details)?.localAttributes[0]).replace(/_id$/, ""),
      // The table session references an account: the field is `sessions`.
      manyRelationList: (_previous, _options, details) =>
        `${relationOf(details)?.remoteResource.extensions?.pg?.name}s`,
    },
  },
};
