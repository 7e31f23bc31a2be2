import { z } from "zod";
import type { Reason } from "../../http/problem.ts";

/** The names in braces of a path. */
export type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** The variable part of a path: a path has one at most. */
export interface PathParameter<Name extends string> {
  /** In braces in the path. */
  name: Name;
  schema: z.ZodType<string>;
  /** details.reason of the answer to a text that the schema does not accept. */
  reason: Reason;
}

/** A text that is not an id is answered like the id of a session that does not exist. */
export const sessionId: PathParameter<"session_id"> = {
  name: "session_id",
  schema: z.uuid().meta({
    description: "One of the caller's own sessions.",
    examples: ["0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f"],
  }),
  reason: "not_own_session",
};

/** A text that is not an id is answered like the id of a factor that does not exist. */
export const factorId: PathParameter<"factor_id"> = {
  name: "factor_id",
  schema: z.uuid().meta({
    description: "One of the caller's own second factors.",
    examples: ["0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f"],
  }),
  reason: "factor_not_found",
};

/** Express's spelling of a path: a colon for the braces. */
export const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");
