import { assertPgClassSingleStep } from "postgraphile/@dataplan/pg";
import type { Step } from "postgraphile/grafast";
import { WrittenRowStep } from "./written_rows_step.ts";

/** Lets a table's type stand for a row that was written: PostGraphile's check knows its own kinds of rows only. */
export const writtenRowsAreRows: GraphileConfig.Plugin = {
  name: "LatchkeyWrittenRows",
  schema: {
    hooks: {
      GraphQLObjectType(type, _build, { scope }) {
        if (!scope.isPgClassType) return type;
        const assertStep = ($step: Step) => {
          if (!($step instanceof WrittenRowStep)) assertPgClassSingleStep($step);
        };
        return { ...type, assertStep } as typeof type;
      },
    },
  },
};
