import { GraphQLSchema } from "postgraphile/graphql";
import type { DocumentSize } from "./document_size.ts";

/** Plans that Grafast keeps of one operation: one for each combination of the variables of @skip and @include. */
export const maxPlansOfOperation = 4;

/** Beyond this, fields + 10 × fields with a selection set, a plan may take up to 3 MB; below it, up to 0.3 MB. */
const maxSmallPlan = 100;

export interface PlanCaches {
  small: GraphQLSchema;
  large: GraphQLSchema;
}

/**
 * The schema twice, each with its own cache of plans. Grafast bounds a cache by the number of operations, whatever their
 * size: one for all would either forget what clients usually send, or let large documents fill the memory.
 */
export function createPlanCaches(schema: GraphQLSchema): PlanCaches {
  return { small: withCache(schema, 200), large: withCache(schema, 10) };
}

export const isLargePlan = ({ fields, objectFields }: DocumentSize): boolean =>
  fields + 10 * objectFields > maxSmallPlan;

function withCache(schema: GraphQLSchema, operations: number): GraphQLSchema {
  const config = schema.toConfig();
  const grafast = {
    ...config.extensions.grafast,
    operationsCacheMaxLength: operations,
    operationOperationPlansCacheMaxLength: maxPlansOfOperation,
  };
  return new GraphQLSchema({ ...config, extensions: { ...config.extensions, grafast }, assumeValid: true });
}
