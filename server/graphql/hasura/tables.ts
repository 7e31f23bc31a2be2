import type { PgCodec, PgCodecRelation, PgResource } from "postgraphile/@dataplan/pg";
import { sql, type SQL } from "postgraphile/pg-sql2";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how a plugin declares its options
  namespace GraphileBuild {
    interface SchemaOptions {
      /** Lets PostgreSQL turn conditions through relations into joins. */
      joinConditions?: boolean;
    }
  }
}

export interface Column {
  name: string;
  codec: PgCodec;
  notNull: boolean;
}

export interface Relation {
  name: string;
  localColumns: readonly string[];
  remoteColumns: readonly string[];
  remote: () => Table;
}

/** A table as one audience may use it: what it has no grant for is not there. */
export interface Table {
  /** The GraphQL type of its rows, which is also how every name about it begins: user_session. */
  name: string;
  resource: PgResource;
  from: SQL;
  primaryKey: readonly string[];
  readable: Column[];
  insertable: Column[];
  updatable: Column[];
  deletable: boolean;
  constraints: { name: string; columns: readonly string[] }[];
  relations: Relation[];
  /** Whether PostgreSQL may turn conditions through relations into joins. */
  joinConditions: boolean;
}

const known = new WeakMap<object, Map<PgResource, Table>>();

/** The tables that the introspecting role may read. PostGraphile's role-based plugin has noted every grant before. */
export function tablesOf(build: GraphileBuild.Build): Table[] {
  return [...tableMap(build).values()];
}

export function tableOf(build: GraphileBuild.Build, resource: PgResource | undefined): Table | undefined {
  return resource && tableMap(build).get(resource);
}

function tableMap(build: GraphileBuild.Build): Map<PgResource, Table> {
  const { pgRegistry } = build.input;
  let tables = known.get(pgRegistry);
  if (tables) return tables;
  tables = new Map();
  known.set(pgRegistry, tables);
  for (const resource of Object.values(pgRegistry.pgResources) as PgResource[]) {
    if (isReadableTable(resource)) tables.set(resource, describe(build, resource, tables));
  }
  return tables;
}

const isReadableTable = ({ parameters, codec, extensions }: PgResource): boolean =>
  parameters === undefined && codec.attributes !== undefined && extensions?.canSelect === true;

function describe(build: GraphileBuild.Build, resource: PgResource, tables: Map<PgResource, Table>): Table {
  const { codec, uniques, extensions } = resource;
  const columns = Object.entries(codec.attributes ?? {}).map(([name, attribute]) => ({
    column: { name, codec: attribute.codec, notNull: attribute.notNull === true },
    grants: attribute.extensions ?? {},
  }));
  const having = (grant: "canSelect" | "canInsert" | "canUpdate") =>
    columns.filter(({ grants }) => grants[grant] === true).map(({ column }) => column);
  const relations = (build.input.pgRegistry.pgRelations[codec.name] ?? {}) as Record<string, PgCodecRelation>;
  return {
    name: build.inflection.tableType(codec),
    resource,
    from: resource.from as SQL,
    primaryKey: uniques.find(({ isPrimary }) => isPrimary)?.attributes ?? [],
    readable: having("canSelect"),
    insertable: having("canInsert"),
    updatable: having("canUpdate"),
    deletable: extensions?.canDelete === true,
    joinConditions: build.options.joinConditions === true,
    constraints: uniques.map(({ attributes, extensions: named }) => ({
      name: named?.constraintName ?? attributes.join("_"),
      columns: attributes,
    })),
    relations: Object.entries(relations)
      .filter(([, relation]) => isReadableTable(remoteOf(relation)))
      .map(([relationName, relation]) => ({
        name: fieldName(build, codec, relationName, relation.isReferencee === true),
        localColumns: relation.localAttributes,
        remoteColumns: relation.remoteAttributes,
        remote: () => tables.get(remoteOf(relation)) ?? fail(`${relationName} leads nowhere`),
      })),
  };
}

const remoteOf = ({ remoteResource }: { remoteResource: unknown }): PgResource =>
  remoteResource as PgResource;

function fieldName(build: GraphileBuild.Build, codec: PgCodec, relationName: string, many: boolean): string {
  const details = { registry: build.input.pgRegistry, codec, relationName } as Parameters<
    GraphileBuild.Inflection["singleRelation"]
  >[0];
  return many ? build.inflection.manyRelationList(details) : build.inflection.singleRelation(details);
}

const fail = (message: string): never => {
  throw new Error(message);
};

/** Array columns can be read, but neither compared nor ordered by. */
export const comparable = (columns: Column[]): Column[] =>
  columns.filter(({ codec }) => codec.arrayOfCodec === undefined);

export const column = (alias: SQL, name: string): SQL => sql`${alias}.${sql.identifier(name)}`;

/** A value from GraphQL as a bind parameter of the column's type; null is SQL's null, of jsonb too. */
export const parameter = (codec: PgCodec, value: unknown): SQL =>
  sql`${sql.value(value === null ? null : codec.toPg(value))}::${codec.sqlType}`;
