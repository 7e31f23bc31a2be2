import { webhookPath } from "../../http/paths.ts";
import { closed, everyHeader } from "./error_responses.ts";
import { json, jsonContent, text } from "./json_response.ts";
import type { JsonObject } from "./schemas.ts";

const message = (example: string): JsonObject => closed({ message: { ...text, examples: [example] } });

const webhookResponses: JsonObject = {
  200: json("Who the request comes from.", {
    type: "object",
    properties: {
      "X-Hasura-Role": { type: "string", enum: ["guest", "user"], examples: ["user"] },
      "X-Hasura-User-Id": { type: "string", format: "uuid", description: "Of users; a guest has none." },
      "X-Hasura-Session-Id": { type: "string", format: "uuid" },
      Expires: {
        ...text,
        description: "When the access token ends, as an HTTP date.",
        examples: ["Sat, 31 Jan 2026 13:00:00 GMT"],
      },
    },
    required: ["X-Hasura-Role", "X-Hasura-Session-Id", "Expires"],
    additionalProperties: { type: "string" },
  }),
  401: json("Refused, for whatever reason.", message("There is no such session."), 401),
  503: json(
    "The database cannot be reached.",
    message("The service cannot take this request now. Try again in a moment."),
    503,
  ),
};

const webhook = (method: string, summary: string, security: JsonObject[]): JsonObject => ({
  operationId: `authorize_${method}`,
  tags: ["data"],
  summary,
  description: "For a GraphQL engine, which calls it as Hasura does. Answers without the usual envelope.",
  security,
  responses: webhookResponses,
});

const graphqlErrors: JsonObject = {
  type: "array",
  items: {
    type: "object",
    properties: {
      message: text,
      path: { type: ["string", "array"], items: {}, examples: ["$"] },
      locations: { type: "array", items: { type: "object" } },
      extensions: {
        type: "object",
        properties: {
          code: {
            type: "string",
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
const graphqlFailure = (description: string, status?: number): JsonObject =>
  json(description, { type: "object", properties: { errors: graphqlErrors }, required: ["errors"] }, status);

/** Without the RateLimit fields of REST: a share of time has no quota of requests. */
const withRetryAfter = (response: JsonObject): JsonObject => ({
  ...response,
  headers: { ...everyHeader, "Retry-After": { $ref: "#/components/headers/Retry-After" } },
});

/** GraphQL over HTTP, and the webhook that authorizes it. */
export const graphqlPaths: JsonObject = {
  [webhookPath]: {
    get: webhook("get", "Whom the access token in the Authorization header belongs to", [
      { accessToken: [], webhookSecret: [] },
      { accessToken: [] },
    ]),
    post: {
      ...webhook("post", "Whom the access token in the body's headers belongs to", [
        { webhookSecret: [] },
        {},
      ]),
      requestBody: {
        required: true,
        content: jsonContent({
          type: "object",
          properties: {
            headers: {
              type: "object",
              examples: [{ Authorization: "Bearer eyJ…" }],
              additionalProperties: true,
            },
            request: { description: "Ignored.", examples: [{}] },
          },
          required: ["headers"],
        }),
      },
    },
  },
  "/v1/graphql": {
    post: {
      operationId: "graphql",
      tags: ["data"],
      summary: "GraphQL over HTTP",
      description:
        "The data API in Hasura's dialect: docs/graphql.md. A subscription runs over a WebSocket on the same path.",
      security: [{ accessToken: [] }, { adminSecret: [] }],
      requestBody: {
        required: true,
        content: jsonContent({
          type: "object",
          properties: {
            query: { ...text, examples: ["{ user_session { id role } }"] },
            variables: { type: ["object", "null"], examples: [{}] },
            operationName: { type: ["string", "null"], examples: [null] },
          },
          required: ["query"],
        }),
      },
      responses: {
        200: json("The result; errors that lie in the document are answered 200 too.", {
          type: "object",
          properties: {
            data: { type: ["object", "null"] },
            errors: graphqlErrors,
          },
          examples: [
            { data: { user_session: [{ id: "0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f", role: "guest" }] } },
          ],
        }),
        400: graphqlFailure(
          "No GraphQL request, or, for application/graphql-response+json, a document that is wrong.",
        ),
        401: graphqlFailure("No valid token.", 401),
        406: graphqlFailure("Accept allows no media type that we send."),
        413: graphqlFailure("The body is larger than 64 KiB."),
        415: graphqlFailure("The body is not JSON."),
        429: withRetryAfter(
          graphqlFailure("The caller has spent its share of the server's time: try again after Retry-After."),
        ),
        500: graphqlFailure("A fault of the service."),
        503: graphqlFailure("The database cannot take the request now: try again after Retry-After.", 503),
      },
    },
  },
};
