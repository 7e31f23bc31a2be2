const liveFields = ["user_session", "user_session_by_pk", "platform_live_counters"];

/**
 * Adds live queries of sessions, and for the admin of the counters, to subscription_root: the fields of query_root with
 * the same arguments and types. They have no plans, because transport/live_query.ts executes a subscription as the
 * query of the same fields.
 */
export const subscriptions: GraphileConfig.Plugin = {
  name: "LatchkeySubscriptions",
  schema: {
    hooks: {
      GraphQLObjectType_fields: {
        after: ["LatchkeyLists"],
        callback(fields, build, { scope }) {
          if (!scope.isRootSubscription) return fields;
          const queryType = build.getOutputTypeByName("query_root") as unknown as {
            getFields: () => Record<string, QueryField>;
          };
          const queryFields = queryType.getFields();
          const createLiveField = (name: string) => {
            const field = queryFields[name];
            // The counters are the admin's.
            if (!field) return [];
            const args = Object.fromEntries(
              field.args.map(({ name: arg, type, defaultValue }) => [
                arg,
                { type, ...(defaultValue !== undefined && { defaultValue }) },
              ]),
            );
            return [[name, { type: field.type, args }]];
          };
          const live = Object.fromEntries(liveFields.flatMap(createLiveField)) as never;
          return build.extend(fields, live, "live queries");
        },
      },
    },
  },
};

interface QueryField {
  type: unknown;
  args: { name: string; type: unknown; defaultValue?: unknown }[];
}
