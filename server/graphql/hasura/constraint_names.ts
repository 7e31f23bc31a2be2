import type {} from "postgraphile";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- this is how PostGraphile's types are extended
  namespace DataplanPg {
    interface PgResourceUniqueExtensions {
      constraintName?: string;
    }
  }
}

/** on_conflict names a constraint; PostGraphile keeps only its columns. */
export const constraintNames: GraphileConfig.Plugin = {
  name: "LatchkeyConstraintNames",
  gather: {
    hooks: {
      pgTables_unique(_info, { unique, pgConstraint }) {
        unique.extensions = { ...unique.extensions, constraintName: pgConstraint.conname };
      },
    },
  },
};
