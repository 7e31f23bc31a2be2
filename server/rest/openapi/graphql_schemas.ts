import { text } from "./json_response.ts";
import type { JsonObject } from "./schemas.ts";

const graphqlErrors: JsonObject = {
  type: "array",
  description: "What went wrong.",
  items: {
    type: "object",
    properties: {
      message: { ...text, description: "For people; may change.", examples: ["There is no such session."] },
      path: {
        ...{ type: ["string", "array"], items: {}, examples: ["$"] },
        description: "The field that failed.",
      },
      locations: {
        ...{ type: "array", items: { type: "object" }, examples: [[{ line: 1, column: 3 }]] },
        description: "Where in the document the error lies.",
      },
      extensions: {
        type: "object",
        description: "What programs go by.",
        properties: {
          code: {
            type: "string",
            description: "What went wrong (docs/graphql.md).",
            enum: [
              ...["access-denied", "permission-error", "validation-failed", "constraint-violation"],
              ...["limit-exceeded", "timeout", "unexpected"],
            ],
          },
        },
        required: ["code"],
      },
    },
    required: ["message", "extensions"],
  },
};
/** A response without data. */
export const failure: JsonObject = {
  type: "object",
  properties: { errors: graphqlErrors },
  required: ["errors"],
};

/** A response with data, and errors if fields failed. */
export const result: JsonObject = {
  type: "object",
  properties: {
    data: {
      type: ["object", "null"],
      description: "What the document asks for; null if an error left none.",
    },
    errors: graphqlErrors,
  },
  examples: [{ data: { user_session: [{ id: "0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f", role: "guest" }] } }],
};
