import type { PgCodec, PgCodecRelation, PgResource } from "postgraphile/@dataplan/pg";
import { sql, type SQL } from "postgraphile/pg-sql2";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how plugins declare options
  namespace GraphileBuild {
    interface SchemaOptions {
      /** Whether PostgreSQL may join the tables of conditions through relations, see where.ts. */
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
  /** A function, because relations may be circular. */
  remote: () => Table;
}

/** A table as far as the grants of one audience allow. */
export interface Table {
  /** The GraphQL type of its rows, and the prefix of all names for the table: user_session. */
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
  /** See SchemaOptions. */
  joinConditions: boolean;
}

const tablesByRegistry = new WeakMap<object, Map<PgResource, Table>>();

/** The tables that the introspecting role may read, by the grants that PostGraphile's role-based plugin found. */
export function tablesOf(build: GraphileBuild.Build): Table[] {
  return [...tableMap(build).values()];
}

export function tableOf(build: GraphileBuild.Build, resource: PgResource | undefined): Table | undefined {
  return resource && tableMap(build).get(resource);
}

function tableMap(build: GraphileBuild.Build): Map<PgResource, Table> {
  const { pgRegistry } = build.input;
  let tables = tablesByRegistry.get(pgRegistry);
  if (tables) return tables;
  tables = new Map();
  tablesByRegistry.set(pgRegistry, tables);
  for (const resource of Object.values(pgRegistry.pgResources) as PgResource[]) {
    if (isReadableTable(resource)) tables.set(resource, createTable(build, resource, tables));
  }
  return tables;
}

const isReadableTable = ({ parameters, codec, extensions }: PgResource): boolean =>
  parameters === undefined && codec.attributes !== undefined && extensions?.canSelect === true;

function createTable(build: GraphileBuild.Build, resource: PgResource, tables: Map<PgResource, Table>): Table {
  const { codec, uniques, extensions } = resource;
  const columns = Object.entries(codec.attributes ?? {}).map(([name, attribute]) => ({
    column: { name, codec: attribute.codec, notNull: attribute.notNull === true },
    grants: attribute.extensions ?? {},
  }));
  const columnsWith = (grant: "canSelect" | "canInsert" | "canUpdate") =>
    columns.filter(({ grants }) => grants[grant] === true).map(({ column }) => column);
  const relations = (build.input.pgRegistry.pgRelations[codec.name] ?? {}) as Record<string, PgCodecRelation>;
  return {
    name: build.inflection.tableType(codec),
    resource,
    from: resource.from as SQL,
    primaryKey: uniques.find(({ isPrimary }) => isPrimary)?.attributes ?? [],
    readable: columnsWith("canSelect"),
    insertable: columnsWith("canInsert"),
    updatable: columnsWith("canUpdate"),
    deletable: extensions?.canDelete === true,
    joinConditions: build.options.joinConditions === true,
    constraints: uniques.map(({ attributes, extensions: constraint }) => ({
      name: constraint?.constraintName ?? attributes.join("_"),
      columns: attributes,
    })),
    relations: Object.entries(relations)
      .filter(([, relation]) => isReadableTable(remoteOf(relation)))
      .map(([relationName, relation]) => ({
        name: relationFieldName(build, codec, relationName, relation.isReferencee === true),
        localColumns: relation.localAttributes,
        remoteColumns: relation.remoteAttributes,
        remote: () => tables.get(remoteOf(relation)) ?? fail(`${relationName} references an unknown table`),
      })),
  };
}

const remoteOf = ({ remoteResource }: { remoteResource: unknown }): PgResource => remoteResource as PgResource;

function relationFieldName(
  build: GraphileBuild.Build,
  codec: PgCodec,
  relationName: string,
  isToMany: boolean,
): string {
  const details = { registry: build.input.pgRegistry, codec, relationName } as Parameters<
    GraphileBuild.Inflection["singleRelation"]
  >[0];
  return isToMany ? build.inflection.manyRelationList(details) : build.inflection.singleRelation(details);
}

const fail = (message: string): never => {
  throw new Error(message);
};

/** The columns that `where` and `order_by` take: no arrays. */
export const comparable = (columns: Column[]): Column[] =>
  columns.filter(({ codec }) => codec.arrayOfCodec === undefined);

export const column = (alias: SQL, name: string): SQL => sql`${alias}.${sql.identifier(name)}`;

/** Converts a GraphQL value to a bind parameter of the column's type. Null becomes SQL's null, for jsonb too. */
export const parameter = (codec: PgCodec, value: unknown): SQL =>
  sql`${sql.value(value === null ? null : codec.toPg(value))}::${codec.sqlType}`;
