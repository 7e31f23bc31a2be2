/** Types by the names that a Hasura client expects. */
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
 * Names are those of the database, with the schema in front of a table (user_session): that is how the specified
 * documents write them. PostGraphile's own would be camel-cased and plural.
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
      // Else a column "id" would become "row_id", because Relay's own id takes the name.
      _attributeName: (_previous, _options, { attributeName }) => attributeName,
      allRowsList(_previous, _options, resource) {
        return this._resourceName(resource);
      },
      rowByUnique(_previous, _options, { resource }) {
        return `${this._resourceName(resource)}_by_pk`;
      },
      // user_id references an account: the field is user.
      singleRelation: (_previous, _options, details) =>
        String(relationOf(details)?.localAttributes[0]).replace(/_id$/, ""),
      // The sessions that reference an account: the field is sessions.
      manyRelationList: (_previous, _options, details) =>
        `${relationOf(details)?.remoteResource.extensions?.pg?.name}s`,
    },
  },
};
