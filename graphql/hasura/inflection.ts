/** Hasura's names for PostGraphile's types. */
const builtins: Record<string, string> = {
  Query: "query_root",
  Mutation: "mutation_root",
  Subscription: "subscription_root",
  UUID: "uuid",
  Datetime: "timestamptz",
  JSON: "jsonb",
  BigInt: "bigint",
  BigFloat: "numeric",
};

type Inflector = (previous: unknown, options: unknown, text: string) => string;
const underscored: Inflector = (_previous, _options, text) => text.replace(/\W+/g, "_");
const unchanged: Inflector = (_previous, _options, text) => text;

type RelationDetails = GraphileBuild.PgRelationsPluginRelationDetails;
type Relation = NonNullable<ReturnType<typeof relationsOf>[string]>;

const relationsOf = ({ registry, codec }: RelationDetails) => registry.pgRelations[codec.name as string] ?? {};

export function relationOf(details: RelationDetails): Relation {
  const relation = relationsOf(details)[details.relationName];
  if (!relation) throw new Error(`there is no relation ${details.relationName}`);
  return relation;
}

/** A name that a comment on the foreign key gives: `@fieldName author`. */
const taggedName = ({ extensions }: Relation, tag: string): string | undefined => {
  const name = (extensions?.tags as Record<string, unknown> | undefined)?.[tag];
  return typeof name === "string" ? name : undefined;
};

const tableName = ({ remoteResource }: Relation): string => String(remoteResource.extensions?.pg?.name);

/** Other relations back from the same table, whose plain name would be the same. */
const hasTwin = (details: RelationDetails, relation: Relation): boolean =>
  Object.values(relationsOf(details)).filter(
    (other) => other.isReferencee === true && other.remoteResource === relation.remoteResource,
  ).length > 1;

/** The plural of a table's name, which may be one already. */
export function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return name.replace(/y$/, "ies");
  if (/(ss|x|ch|sh)$/.test(name)) return `${name}es`;
  return name.endsWith("s") ? name : `${name}s`;
}

/**
 * Uses the database's names, with the schema as a table's prefix (user_session; none for `public`). PostGraphile's own
 * inflection makes them plural and camel case. The tag `@name` in a comment renames a table, a column or a function, and
 * `@fieldName` and `@foreignFieldName` a foreign key's relations.
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
      dontEndInInputOrPatch: unchanged,
      builtin: (_previous, _options, name) => builtins[name] ?? name,
      _schemaPrefix: (_previous, _options, { pgNamespace }) =>
        pgNamespace.nspname === "public" ? "" : `${pgNamespace.nspname}_`,
      // PostGraphile would rename a column "id" to "row_id", because Relay's global id has that name.
      _attributeName(_previous, _options, { attributeName, codec }) {
        const name: unknown = codec.attributes[attributeName]?.extensions?.tags?.name;
        return this.coerceToGraphQLName(typeof name === "string" ? name : attributeName);
      },
      allRowsList(_previous, _options, resource) {
        return this._resourceName(resource);
      },
      rowByUnique(_previous, _options, { resource }) {
        return `${this._resourceName(resource)}_by_pk`;
      },
      // The column user_id references an account: the field is `user`.
      singleRelation(_previous, _options, details) {
        const relation = relationOf(details);
        const [column = ""] = relation.localAttributes;
        const name = taggedName(relation, "fieldName") ?? column.replace(/_id$/, "");
        // A key column without the ending has this name itself.
        return name in details.codec.attributes ? `${name}_${tableName(relation)}` : name;
      },
      // The table session references an account: the field is `sessions`.
      manyRelationList(_previous, _options, details) {
        const relation = relationOf(details);
        const columns = relation.remoteAttributes.join("_and_");
        const name = plural(tableName(relation));
        return (
          taggedName(relation, "foreignFieldName") ?? (hasTwin(details, relation) ? `${name}_by_${columns}` : name)
        );
      },
      // The foreign key is unique: the field is one row.
      singleRelationBackwards(_previous, _options, details) {
        const relation = relationOf(details);
        const columns = relation.remoteAttributes.join("_and_");
        const name = tableName(relation);
        return (
          taggedName(relation, "foreignFieldName") ?? (hasTwin(details, relation) ? `${name}_by_${columns}` : name)
        );
      },
    },
  },
};
