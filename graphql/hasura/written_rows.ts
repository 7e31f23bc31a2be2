import { assertPgClassSingleStep } from "postgraphile/@dataplan/pg";
import type { Step } from "postgraphile/grafast";
import { WrittenRowStep } from "./written_rows_step.ts";

/** Lets the type of a table resolve WrittenRowStep, which PostGraphile's own assertion does not accept. */
export const writtenRowTypes: GraphileConfig.Plugin = {
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
