import { z } from "zod";

/** Code that exists only for speed. docs/performance.md lists what each saves. */
export const optimizations = ["batch", "authorize_pipeline", "read_pipeline", "token_cache"] as const;
export type Optimization = (typeof optimizations)[number];

/**
 * Parses OPTIMIZATIONS_OFF: names of optimizations to switch off, to measure them or to rule one out as the cause of a
 * bug.
 */
export const parseOptimizations = z
  .string()
  .optional()
  .transform((text = "") => text.split(",").flatMap((name) => name.trim() || []))
  .pipe(z.array(z.enum(optimizations, `must be names of ${optimizations.join(", ")}`)))
  .transform((names): ReadonlySet<Optimization> => new Set(names));
