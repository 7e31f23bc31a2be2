import { z } from "zod";

/** Code that exists for speed alone; docs/performance.md says what each saves. */
const optimizations = [
  "batch",
  "authorize_pipeline",
  "read_pipeline",
  "token_cache",
  "webhook_bypass",
] as const;
export type Optimization = (typeof optimizations)[number];

/** OPTIMIZATIONS_OFF: the names of those to do without, to measure them or to rule one out as a cause. */
export const parseOptimizations = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((name) => name.trim() || []))
  .pipe(z.array(z.enum(optimizations, `must be names of ${optimizations.join(", ")}`)))
  .transform((names): ReadonlySet<Optimization> => new Set(names));
