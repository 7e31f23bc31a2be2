/** Only _by_pk, as in Hasura: a field per other unique constraint would be one more name for what where does. */
export const onlyByPrimaryKey: GraphileConfig.Plugin = {
  name: "LatchkeyOnlyByPrimaryKey",
  schema: {
    behaviorRegistry: {
      // The role-based plugin takes these away from a constraint of an unreadable table, and warns that no such thing exists.
      add: Object.fromEntries(
        ["typeField", "queryField", "mutationField"].map((name) => [
          name,
          { description: "A field", entities: ["pgResourceUnique"] as const },
        ]),
      ),
    },
    entityBehavior: {
      pgResourceUnique: {
        override: (behavior, [, unique]) => (unique.isPrimary ? behavior : [behavior, "-single"]),
      },
    },
  },
};
