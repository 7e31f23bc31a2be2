import "./graphile_env.ts";
import type pg from "pg";
import { makeSchema } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { audiences, type Audience } from "../../authorization/caller.ts";
import { actions } from "./actions.ts";
import { aggregates } from "./aggregates.ts";
import { constraintNames } from "./constraint_names.ts";
import { inflection } from "./inflection.ts";
import { lists } from "./lists.ts";
import { mutations } from "./mutations.ts";
import { mutationTypes } from "./mutation_types.ts";
import { onlyByPrimaryKey } from "./only_by_primary_key.ts";
import { orderBy } from "./order_by.ts";
import { subscriptions } from "./subscriptions.ts";
import { where } from "./where.ts";
import { writtenRowsAreRows } from "./written_rows.ts";

export type AudienceSchema = Awaited<ReturnType<typeof makeSchema>>;

/** The schema that the grants of the audience's role describe: the role itself looks at the catalog. */
export function makeAudienceSchema(pool: pg.Pool, audience: Audience): Promise<AudienceSchema> {
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
      subscriptions,
      writtenRowsAreRows,
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

/** Relay's global ids, and the query inside the query. */
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

/** What the plugins here do in Hasura's shape. */
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
  // It would offer where and order_by for indexed columns alone; these tables are small.
  "PgIndexBehaviorsPlugin",
] as const;
