import "./graphile_env.ts";
import type pg from "pg";
import { makeSchema } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { audiences, type Audience } from "../authorization/caller.ts";
import { actions } from "./actions.ts";
import { aggregates } from "./aggregates.ts";
import { columnTypes } from "./column_types.ts";
import { constraintNames } from "./writes/constraint_names.ts";
import { grantsOf } from "./grants.ts";
import { functionArgumentTypes } from "./function_arguments.ts";
import { inflection } from "./inflection.ts";
import { jsonPaths } from "./json_paths.ts";
import { lists } from "./lists.ts";
import { mutations } from "./writes/mutations.ts";
import { mutationTypes } from "./writes/mutation_types.ts";
import { onlyByPrimaryKey } from "./only_by_primary_key.ts";
import { orderBy } from "./order_by.ts";
import { queryFunctions } from "./query_functions.ts";
import { ownSchemas } from "./schemas.ts";
import { subscriptionsOf, type ChangeSource, type LiveTables } from "./subscriptions.ts";
import { whereTypes } from "./where_types.ts";
import { writtenRowTypes } from "./writes/written_rows.ts";

export type AudienceSchema = Awaited<ReturnType<typeof makeSchema>> & {
  /** What live queries of a type of rows read again after. */
  liveTypes: ReadonlyMap<string, readonly ChangeSource[]>;
};

/** What GraphQL serves beside our own schemas. */
export interface Application {
  schemas: readonly string[];
  live: LiveTables;
}

const noApplication: Application = { schemas: [], live: new Map() };

/**
 * Creates the schema of an audience, which has what the grants of its roles allow.
 */
export async function createAudienceSchema(
  pool: pg.Pool,
  audience: Audience,
  { schemas, live }: Application = noApplication,
): Promise<AudienceSchema> {
  const liveTypes = new Map<string, readonly ChangeSource[]>();
  const made = await makeSchema({
    extends: [PostGraphileAmberPreset],
    plugins: [
      inflection,
      columnTypes,
      grantsOf(audiences[audience]),
      constraintNames,
      whereTypes,
      orderBy,
      lists,
      jsonPaths,
      aggregates,
      mutationTypes,
      mutations,
      functionArgumentTypes,
      actions,
      queryFunctions,
      subscriptionsOf(live, liveTypes),
      writtenRowTypes,
      onlyByPrimaryKey,
    ],
    disablePlugins: [...relayPlugins, ...replacedPlugins],
    schema: { dontSwallowErrors: true, defaultBehavior: "-connection +list", joinConditions: audience === "admin" },
    pgServices: [makePgService({ pool, schemas: [...ownSchemas, ...schemas], pubsub: false })],
  });
  return { ...made, liveTypes };
}

/** Relay's global ids, and the `query` field of the query type. */
const relayPlugins = [
  "NodePlugin",
  "NodeAccessorPlugin",
  "AddNodeInterfaceToSuitableTypesPlugin",
  "NodeIdCodecBase64JSONPlugin",
  "NodeIdCodecPipeStringPlugin",
  "RegisterQueryNodePlugin",
  "PgTableNodePlugin",
  "PgNodeIdAttributesPlugin",
  "QueryQueryPlugin",
] as const;

/** The plugins of this folder replace these. */
const replacedPlugins = [
  "PgFirstLastBeforeAfterArgsPlugin",
  "PgConditionArgumentPlugin",
  "PgConditionCustomFieldsPlugin",
  "PgConnectionArgOrderByPlugin",
  "PgConnectionArgOrderByDefaultValuePlugin",
  "PgOrderAllAttributesPlugin",
  "PgOrderByPrimaryKeyPlugin",
  "PgOrderCustomFieldsPlugin",
  "PgConnectionTotalCountPlugin",
  "PgCustomTypeFieldPlugin",
  "PgLtreePlugin",
  "PgMutationCreatePlugin",
  "PgMutationUpdateDeletePlugin",
  "PgMutationPayloadEdgePlugin",
  "MutationPayloadQueryPlugin",
  // It would limit `where` and `order_by` to indexed columns.
  "PgIndexBehaviorsPlugin",
] as const;
