import { z } from "zod";
import { Problem, type Reason } from "../http/problem.ts";

/** The names in braces of a path. */
export type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** A variable part of a path. */
export interface PathParameter<Params extends object> {
  /** For the OpenAPI document. */
  schema: z.ZodType;
  /** Values of details.reason that have a status of their own. */
  reasons: readonly Reason[];
  /**
   * Turns the text into an argument of the route's SQL function.
   * @throws Problem when no such thing can exist
   */
  parse: (text: string) => Params;
}

const uuid = z.uuid();

export const pathParameters = {
  /** A text that is no id names no session of the caller's, and is answered as one that does not exist. */
  sessionId: {
    schema: uuid.meta({ description: "One of the caller's own sessions." }),
    reasons: ["not_own_session"],
    parse: (text: string) => {
      const { data } = uuid.safeParse(text);
      if (data === undefined) throw new Problem("SESSION_NOT_FOUND", { reason: "not_own_session" });
      return { target_session_id: data };
    },
  } satisfies PathParameter<{ target_session_id: string }>,
};

/** Express's spelling of a path: a colon for the braces. */
export const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");
