/**
 * Keeps only _by_pk fields, as in Hasura. PostGraphile adds a field for each other unique constraint, which `where`
 * covers.
 */
export const onlyByPrimaryKey: GraphileConfig.Plugin = {
  name: "LatchkeyOnlyByPrimaryKey",
  schema: {
    behaviorRegistry: {
      // PostGraphile's role-based plugin removes these behaviors where a table is unreadable, and warns if they are not
      // registered.
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
