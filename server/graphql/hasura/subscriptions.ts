/**
 * subscription_root: the own sessions as live queries, with the fields, arguments and types that query_root has.
 * It has no plans: server/graphql/transport/sockets.ts runs a subscription as the query of the same fields, once at the beginning
 * and again whenever there is something to read anew.
 */
export const subscriptions: GraphileConfig.Plugin = {
  name: "LatchkeySubscriptions",
  schema: {
    hooks: {
      GraphQLObjectType_fields: {
        after: ["LatchkeyLists"],
        callback(fields, build, { scope }) {
          if (!scope.isRootSubscription) return fields;
          const live = (name: string) => {
            const query = build.getOutputTypeByName("query_root") as unknown as {
              getFields: () => Record<string, LiveField>;
            };
            const field = query.getFields()[name];
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
            { user_session: live("user_session"), user_session_by_pk: live("user_session_by_pk") } as never,
            "live queries of sessions",
          );
        },
      },
    },
  },
};

interface LiveField {
  type: unknown;
  args: { name: string; type: unknown; defaultValue?: unknown }[];
}
