import { GraphQLSchema } from "postgraphile/graphql";
import type { DocumentSize } from "../limits/document_size.ts";

/**
 * How many plans Grafast caches for one operation: it makes one for each combination of the variables of @skip and
 * @include.
 */
export const maxPlansOfOperation = 4;

/**
 * By fields + 10 × fields with a selection set: a larger plan takes up to 3 MB of memory, a smaller one up to 0.3 MB.
 */
const maxSmallPlan = 100;

/** One schema for operations with small plans, and one for those with large plans. */
export interface PlanCaches {
  small: GraphQLSchema;
  large: GraphQLSchema;
}

/**
 * Copies the schema twice, because Grafast has one plan cache for each schema and limits it by the number of
 * operations, whatever their size. One cache would either evict what clients usually send, or let large plans fill the
 * memory.
 */
export function createPlanCaches(schema: GraphQLSchema): PlanCaches {
  return { small: copyWithCache(schema, 200), large: copyWithCache(schema, 3) };
}

export const isLargePlan = ({ fields, objectFields }: DocumentSize): boolean =>
  fields + 10 * objectFields > maxSmallPlan;

function copyWithCache(schema: GraphQLSchema, maxOperations: number): GraphQLSchema {
  const config = schema.toConfig();
  const grafast = {
    ...config.extensions.grafast,
    operationsCacheMaxLength: maxOperations,
    operationOperationPlansCacheMaxLength: maxPlansOfOperation,
  };
  return new GraphQLSchema({ ...config, extensions: { ...config.extensions, grafast }, assumeValid: true });
}
