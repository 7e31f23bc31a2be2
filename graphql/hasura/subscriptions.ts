import type { GraphQLInputType } from "postgraphile/graphql";
import { functionField, isOwn, rootFunctions } from "./function_arguments.ts";
import { tableOf, tablesOf, type Table } from "./tables.ts";

/** What a live query reads again after: a channel, or the digest of a table whose changes are notified. */
export type ChangeSource = "session_changed" | "otp_delivery" | (string & {});

/** The sources of tables and views, as schema.name. */
export type LiveTables = ReadonlyMap<string, readonly ChangeSource[]>;

/** Guest creation and refresh notify nobody, because NOTIFY serializes commits. */
const ownTables: LiveTables = new Map([
  ["user.session", ["session_changed"]],
  ["user.account", ["session_changed"]],
  ["platform.otp_transaction", ["otp_delivery", "session_changed"]],
  // Most of what is recorded notifies nobody: it is read with what does.
  ["platform.event", ["session_changed", "otp_delivery"]],
  ["platform.live_counters", ["otp_delivery", "session_changed"]],
]);

const typeName = "subscription_root";
const cursorOrdering = "cursor_ordering";

/**
 * Adds live queries of the tables whose changes are notified to subscription_root: the fields of query_root with the same
 * arguments and types, and X_stream. They have no plans, because transport/ executes a subscription as a query.
 * @param applicationTables the application's tables whose changes are notified
 * @param liveTypes gets the sources of each type of rows
 */
export const subscriptionsOf = (
  applicationTables: LiveTables,
  liveTypes: Map<string, readonly ChangeSource[]>,
): GraphileConfig.Plugin => ({
  name: "LatchkeySubscriptions",
  schema: {
    hooks: {
      init: {
        after: ["PgCodecs"],
        callback(_, build) {
          build.registerEnumType(
            cursorOrdering,
            {},
            () => ({ values: { ASC: { value: "ASC" }, DESC: { value: "DESC" } } }),
            "streams",
          );
          for (const table of tablesOf(build)) {
            const { schemaName, name } = table.resource.extensions?.pg ?? {};
            const key = `${schemaName}.${name}`;
            const sources = [...(ownTables.get(key) ?? []), ...(applicationTables.get(key) ?? [])];
            if (sources.length === 0) continue;
            liveTypes.set(table.name, sources);
            registerCursor(build, table);
          }
          return _;
        },
      },
      GraphQLObjectType_fields: {
        after: ["LatchkeyLists"],
        callback(fields, build, { scope }) {
          if (!scope.isRootSubscription) return fields;
          const queryType = build.getOutputTypeByName("query_root") as unknown as {
            getFields: () => Record<string, QueryField>;
          };
          const queryFields = queryType.getFields();
          const tables = tablesOf(build).filter(({ name }) => liveTypes.has(name));
          const functions = rootFunctions(build)
            .filter((fn) => !isOwn(fn) && liveTypes.has(tableOf(build, fn)?.name ?? ""))
            .map((fn) => functionField(build, fn));
          const names = tables.flatMap(({ name }) => [name, `${name}_by_pk`, `${name}_aggregate`]);
          const live = [...names, ...functions].flatMap((name) => {
            const field = queryFields[name];
            return field ? [[name, liveField(field)] as const] : [];
          });
          const streams = tables.map((table) => [`${table.name}_stream`, streamField(build, table)] as const);
          return build.extend(fields, Object.fromEntries([...live, ...streams]) as never, typeName);
        },
      },
    },
  },
});

interface QueryField {
  type: unknown;
  args: { name: string; type: unknown; defaultValue?: unknown }[];
}

const liveField = ({ type, args }: QueryField) => ({
  type,
  args: Object.fromEntries(
    args.map(({ name, type: argType, defaultValue }) => [
      name,
      { type: argType, ...(defaultValue !== undefined && { defaultValue }) },
    ]),
  ),
});

/** {initial_value: {created_at: "2026-01-01"}, ordering: ASC} */
function registerCursor(build: GraphileBuild.Build, { name, readable }: Table): void {
  const { GraphQLNonNull } = build.graphql;
  build.registerInputObjectType(
    `${name}_stream_cursor_input`,
    {},
    () => ({
      fields: () => ({
        initial_value: { type: new GraphQLNonNull(build.getInputTypeByName(`${name}_stream_cursor_value_input`)) },
        ordering: { type: build.getInputTypeByName(cursorOrdering) },
      }),
    }),
    "streams",
  );
  build.registerInputObjectType(
    `${name}_stream_cursor_value_input`,
    {},
    () => ({
      fields: () =>
        Object.fromEntries(
          readable
            .filter(({ codec, call }) => !codec.arrayOfCodec && !codec.attributes && !call)
            .map(({ name: column, codec }) => [
              column,
              { type: build.getGraphQLTypeByPgCodec(codec, "input") as GraphQLInputType },
            ]),
        ),
    }),
    "streams",
  );
}

function streamField(build: GraphileBuild.Build, { name }: Table) {
  const { GraphQLInt, GraphQLList, GraphQLNonNull } = build.graphql;
  const type = (ending: string) => build.getInputTypeByName(`${name}${ending}`);
  return {
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(build.getOutputTypeByName(name)))),
    args: {
      batch_size: { type: new GraphQLNonNull(GraphQLInt) },
      cursor: { type: new GraphQLNonNull(new GraphQLList(type("_stream_cursor_input"))) },
      where: { type: type("_bool_exp") },
    },
  };
}
