/**
 * Adds live queries of sessions to subscription_root: the fields of query_root with the same arguments and types.
 * They have no plans, because transport/live_query.ts executes a subscription as the query of the same fields.
 */
export const subscriptions: GraphileConfig.Plugin = {
  name: "LatchkeySubscriptions",
  schema: {
    hooks: {
      GraphQLObjectType_fields: {
        after: ["LatchkeyLists"],
        callback(fields, build, { scope }) {
          if (!scope.isRootSubscription) return fields;
          const createLiveField = (name: string) => {
            const queryType = build.getOutputTypeByName("query_root") as unknown as {
              getFields: () => Record<string, QueryField>;
            };
            const field = queryType.getFields()[name];
            if (!field) throw new Error(`query_root has no field ${name}`);
            const args = Object.fromEntries(
              field.args.map(({ name: arg, type, defaultValue }) => [
                arg,
                { type, ...(defaultValue !== undefined && { defaultValue }) },
              ]),
            );
            return { type: field.type, args };
          };
          return build.extend(
            fields,
            {
              user_session: createLiveField("user_session"),
              user_session_by_pk: createLiveField("user_session_by_pk"),
            } as never,
            "live queries of sessions",
          );
        },
      },
    },
  },
};

interface QueryField {
  type: unknown;
  args: { name: string; type: unknown; defaultValue?: unknown }[];
}
