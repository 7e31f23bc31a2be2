import type {} from "postgraphile";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how plugins extend PostGraphile's types
  namespace DataplanPg {
    interface PgResourceUniqueExtensions {
      constraintName?: string;
    }
  }
}

/** Stores the names of unique constraints, of which PostGraphile keeps only the columns: on_conflict takes a name. */
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
