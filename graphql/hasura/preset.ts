import "./graphile_env.ts";
import type pg from "pg";
import { makeSchema } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { audiences, type Audience } from "../authorization/caller.ts";
import { actions } from "./actions.ts";
import { aggregates } from "./aggregates.ts";
import { constraintNames } from "./constraint_names.ts";
import { inflection } from "./inflection.ts";
import { lists } from "./lists.ts";
import { mutations } from "./mutations.ts";
import { mutationTypes } from "./mutation_types.ts";
import { onlyByPrimaryKey } from "./only_by_primary_key.ts";
import { orderBy } from "./order_by.ts";
import { queryFunctions } from "./query_functions.ts";
import { subscriptions } from "./subscriptions.ts";
import { where } from "./where.ts";
import { writtenRowTypes } from "./written_rows.ts";

export type AudienceSchema = Awaited<ReturnType<typeof makeSchema>>;

/**
 * Creates the schema of an audience. The audience's role introspects the database, so the schema has what its grants
 * allow.
 */
export function createAudienceSchema(pool: pg.Pool, audience: Audience): Promise<AudienceSchema> {
  return makeSchema({
    extends: [PostGraphileAmberPreset],
    plugins: [
      inflection,
      constraintNames,
      where,
      orderBy,
      lists,
      aggregates,
      mutationTypes,
      mutations,
      actions,
      queryFunctions,
      subscriptions,
      writtenRowTypes,
      onlyByPrimaryKey,
    ],
    disablePlugins: [...relayPlugins, ...replacedPlugins],
    schema: { defaultBehavior: "-connection +list", joinConditions: audience === "admin" },
    pgServices: [
      makePgService({
        pool,
        schemas: ["user", "platform", "settings"],
        pubsub: false,
        pgSettingsForIntrospection: { role: audiences[audience] },
      }),
    ],
  });
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
  "PgMutationCreatePlugin",
  "PgMutationUpdateDeletePlugin",
  "PgMutationPayloadEdgePlugin",
  "MutationPayloadQueryPlugin",
  // It would limit `where` and `order_by` to indexed columns.
  "PgIndexBehaviorsPlugin",
] as const;
