import type { PgCodec, PgCodecRelation, PgResource } from "postgraphile/@dataplan/pg";
import type { SQL } from "postgraphile/pg-sql2";
import { computedColumns, functionsOf, holdsRows, scalarOf, type Column } from "./columns.ts";
import { isReadableRelation } from "./grants.ts";
import { ownSchemas } from "./schemas.ts";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how plugins declare options
  namespace GraphileBuild {
    interface SchemaOptions {
      /** Whether PostgreSQL may join the tables of conditions through relations, see where.ts. */
      joinConditions?: boolean;
    }
  }
}

export interface Relation {
  name: string;
  localColumns: readonly string[];
  remoteColumns: readonly string[];
  isToMany: boolean;
  /** The key is in the other table, whose rows reference this one's. */
  isBackward: boolean;
  /** A function, because relations may be circular. */
  remote: () => Table;
}

/** A table or view as far as the grants of one audience allow. */
export interface Table {
  /** The GraphQL type of its rows, and the prefix of all names for the table: user_session. */
  name: string;
  /** Whether it is one of ours, and not the application's. */
  isOwn: boolean;
  resource: PgResource;
  from: SQL;
  /** Empty for a view. */
  primaryKey: Column[];
  readable: Column[];
  insertable: Column[];
  updatable: Column[];
  deletable: boolean;
  constraints: { name: string; columns: readonly string[] }[];
  relations: Relation[];
  /** See SchemaOptions. */
  joinConditions: boolean;
}

const tablesByRegistry = new WeakMap<object, Map<PgCodec, Table>>();

/** The tables that the audience may read, by the grants that LatchkeyGrants found. */
export const tablesOf = (build: GraphileBuild.Build): Table[] =>
  rowTypesOf(build).filter(({ resource }) => resource.parameters === undefined);

/** The tables, and rows of other types that functions return. */
export const rowTypesOf = (build: GraphileBuild.Build): Table[] => [...tableMap(build).values()];

/** The rows that a resource has, a table or a function. */
export const tableOf = (build: GraphileBuild.Build, resource: PgResource | undefined): Table | undefined =>
  resource && tableMap(build).get(resource.codec);

function tableMap(build: GraphileBuild.Build): Map<PgCodec, Table> {
  const { pgRegistry } = build.input;
  let tables = tablesByRegistry.get(pgRegistry);
  if (tables) return tables;
  tables = new Map();
  tablesByRegistry.set(pgRegistry, tables);
  for (const resource of Object.values(pgRegistry.pgResources) as PgResource[]) {
    if (isReadableTable(resource)) tables.set(resource.codec, createTable(build, resource, tables));
  }
  for (const fn of functionsOf(build))
    if (fn.codec.attributes && !tables.has(fn.codec)) tables.set(fn.codec, createTable(build, fn, tables));
  return tables;
}

const isReadableTable = ({ parameters, codec, extensions }: PgResource): boolean =>
  parameters === undefined && codec.attributes !== undefined && extensions?.canSelect === true;

function createTable(build: GraphileBuild.Build, resource: PgResource, tables: Map<PgCodec, Table>): Table {
  const { codec, uniques, extensions } = resource;
  const columns = Object.entries(codec.attributes ?? {})
    // A column of a composite type, or of an array of one, is readable only.
    .map(([sqlName, attribute]) => ({
      column: {
        name: build.inflection.attribute({ codec: codec as never, attributeName: sqlName }),
        sqlName,
        codec: attribute.codec,
        // Types are named when PostGraphile's plugins have run.
        get scalar() {
          return scalarOf(build, attribute.codec);
        },
        notNull: attribute.notNull === true,
      },
      grants: attribute.extensions ?? {},
    }));
  const columnsWith = (grant: "canSelect" | "canInsert" | "canUpdate") =>
    columns.filter(({ grants }) => grants[grant] === true).map(({ column }) => column);
  const writable = (grant: "canInsert" | "canUpdate", given: "isInsertable" | "isUpdatable") =>
    extensions?.[given] === false
      ? []
      : columns
          .filter(
            (each) => !holdsRows(each.column.codec) && each.grants[grant] === true && each.grants[given] !== false,
          )
          .map(({ column }) => column);
  const primaryKey = uniques.find(({ isPrimary }) => isPrimary)?.attributes ?? [];
  const granted = columnsWith("canSelect");
  // A function may return rows of a type that is granted to nobody.
  const readable = [
    ...(granted.length > 0 ? granted : columns.map(({ column }) => column)),
    ...computedColumns(build, resource),
  ];
  const relations = (build.input.pgRegistry.pgRelations[codec.name] ?? {}) as Record<string, PgCodecRelation>;
  return {
    name: build.inflection.tableType(codec),
    isOwn: ownSchemas.includes(String(extensions?.pg?.schemaName)),
    resource,
    from: resource.from as SQL,
    primaryKey: primaryKey.flatMap((name) => readable.filter(({ sqlName }) => sqlName === name)),
    readable,
    insertable: writable("canInsert", "isInsertable"),
    updatable: writable("canUpdate", "isUpdatable"),
    deletable: extensions?.canDelete === true && extensions.isDeletable !== false,
    joinConditions: build.options.joinConditions === true,
    constraints: uniques.flatMap(({ attributes, extensions: constraint }) =>
      constraint?.constraintName === undefined ? [] : [{ name: constraint.constraintName, columns: attributes }],
    ),
    relations: Object.entries(relations)
      .filter(([, relation]) => isReadableTable(remoteOf(relation)) && isReadableRelation(relation as never))
      .map(([relationName, relation]) => ({
        name: relationFieldName(build, codec, relationName, relation),
        isToMany: relation.isUnique !== true,
        isBackward: relation.isReferencee === true,
        localColumns: relation.localAttributes,
        remoteColumns: relation.remoteAttributes,
        remote: () => tables.get(remoteOf(relation).codec) ?? fail(`${relationName} references an unknown table`),
      })),
  };
}

const remoteOf = ({ remoteResource }: { remoteResource: unknown }): PgResource => remoteResource as PgResource;

/** The name that PostGraphile gives to the relation's field. */
function relationFieldName(
  { inflection, input }: GraphileBuild.Build,
  codec: PgCodec,
  relationName: string,
  { isReferencee, isUnique }: PgCodecRelation,
): string {
  const details = { registry: input.pgRegistry, codec, relationName } as Parameters<
    GraphileBuild.Inflection["singleRelation"]
  >[0];
  if (isReferencee !== true) return inflection.singleRelation(details);
  return isUnique === true ? inflection.singleRelationBackwards(details) : inflection.manyRelationList(details);
}

const fail = (message: string): never => {
  throw new Error(message);
};
