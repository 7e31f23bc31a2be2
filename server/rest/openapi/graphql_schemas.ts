import { text } from "./json_response.ts";
import { anyOf, closed, type JsonObject } from "./schemas.ts";

const message = { ...text, description: "For people; may change.", examples: ["There is no such session."] };
const codes = [
  "access-denied",
  "permission-error",
  "validation-failed",
  "constraint-violation",
  "limit-exceeded",
  "timeout",
  "unexpected",
];
const oneOf = (allowed: string[]): JsonObject => ({
  type: "string",
  enum: allowed,
  description: "What went wrong (docs/graphql.md). A newer version may send others.",
});
const forPrograms = { description: "For programs." };
const listOf = (error: JsonObject): JsonObject => ({
  type: "array",
  minItems: 1,
  items: error,
  description: "What went wrong.",
});

const position = (description: string): JsonObject => ({ type: "integer", minimum: 1, description });
const locations = {
  type: "array",
  items: closed({ line: position("From 1 on."), column: position("From 1 on.") }),
  examples: [[{ line: 1, column: 3 }]],
  description: "Where in the document the error lies.",
};
const path = {
  type: "array",
  items: { type: ["string", "integer"] },
  examples: [["revoke_session"]],
  description: "The field that failed.",
};
const place = {
  type: "string",
  pattern: "^\\$",
  examples: ["$.selectionSet.user_session"],
  description: "Where in the document the error lies, as Hasura writes it.",
};
/** @param more further members, all optional */
const errorsOf = (allowed: string[], more: JsonObject): JsonObject => {
  const extensions = closed({ path: place, code: oneOf(allowed) }, forPrograms);
  return listOf(closed({ message, ...more, extensions }, { optional: Object.keys(more) }));
};

/** A request that is refused as a whole. */
export const refusal = (...allowed: string[]): JsonObject => {
  const path = { type: "string", const: "$", description: "The whole request failed." };
  const extensions = closed({ path, code: oneOf(allowed) }, forPrograms);
  return closed({ errors: listOf(closed({ message, extensions })) }, { title: "GraphqlRefusal" });
};

/** A request over a limit that the same request may keep later. */
export const limited: JsonObject = (() => {
  const path = { type: "string", const: "$", description: "The whole request failed." };
  const retryAfterSeconds = { type: "integer", minimum: 1, description: "As Retry-After.", examples: [2] };
  const extensions = closed({ path, code: oneOf(["limit-exceeded"]), retryAfterSeconds }, forPrograms);
  return closed({ errors: listOf(closed({ message, extensions })) }, { title: "GraphqlLimitExceeded" });
})();

/** A document that was not executed (RequestError): no field has failed, so there is no GraphQL path. */
export const failure: JsonObject = closed(
  { errors: errorsOf(["validation-failed", "limit-exceeded"], { locations }) },
  { title: "GraphqlFailure" },
);

const success: JsonObject = {
  ...closed(
    { data: { type: "object", additionalProperties: true, description: "The fields of the document." } },
    { title: "GraphqlData" },
  ),
  examples: [{ data: { user_session: [{ id: "0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f", role: "guest" }] } }],
};

// Each request is one transaction, so errors leave no data.
const rolledBack = closed(
  {
    errors: errorsOf(
      codes.filter((code) => code !== "access-denied"),
      { locations, path },
    ),
    data: { type: "null", description: "Null: the error rolled the transaction back." },
  },
  { title: "GraphqlRollback" },
);

/** The result of a document that was executed. */
export const result: JsonObject = anyOf([success, rolledBack]);

/** The same, or the errors of a document that was not executed. */
export const resultOrFailure: JsonObject = anyOf([success, rolledBack, failure]);
