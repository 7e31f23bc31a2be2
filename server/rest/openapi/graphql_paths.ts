import { webhookPath } from "../../http/paths.ts";
import { headerParameter } from "./components.ts";
import { errorResponses, errorSchema, everyHeader } from "./error_responses.ts";
import { json, jsonContent, text } from "./json_response.ts";
import { failure, refusal, result, resultOrFailure } from "./graphql_schemas.ts";
import { anyOf, closed, type JsonObject } from "./schemas.ts";

const message = (example: string): JsonObject =>
  closed({ message: { ...text, description: "For people.", examples: [example] } });

const webhookResponses: JsonObject = {
  200: json("Who the request comes from.", {
    type: "object",
    properties: {
      "X-Hasura-Role": {
        ...{ type: "string", enum: ["guest", "user"], examples: ["user"] },
        description: "The role that the request runs as.",
      },
      "X-Hasura-User-Id": { type: "string", format: "uuid", description: "Of users; a guest has none." },
      "X-Hasura-Session-Id": { type: "string", format: "uuid", description: "The token's session." },
      Expires: {
        ...text,
        description: "When the access token ends, as an HTTP date.",
        examples: ["Sat, 31 Jan 2026 13:00:00 GMT"],
      },
    },
    required: ["X-Hasura-Role", "X-Hasura-Session-Id", "Expires"],
    additionalProperties: { type: "string" },
  }),
  ...errorResponses([{ code: "INVALID_REQUEST" }]),
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

const refused = (description: string, code: string, status?: number): JsonObject =>
  json(description, refusal(code), status);

/** The media type of GraphQL over HTTP. A request that is refused as a whole is answered in application/json. */
const graphqlJson = "application/graphql-response+json";

/** Without the RateLimit fields of REST: a share of time has no quota of requests. */
const withRetryAfter = (response: JsonObject): JsonObject => ({
  ...response,
  headers: { ...everyHeader, "Retry-After": { $ref: "#/components/headers/Retry-After" } },
});

/** GraphQL over HTTP, and the webhook that authorizes it. */
export const graphqlPaths: JsonObject = {
  [webhookPath]: {
    get: webhook("get", "Return the role and ids of the access token in the Authorization header", [
      { accessToken: [], webhookSecret: [] },
      { accessToken: [] },
    ]),
    post: {
      ...webhook("post", "Return the role and ids of the access token in the body's headers", [
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
              description: "Those of the request to the engine; names in any case.",
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
      security: [{ accessToken: [] }, { adminSecret: [] }, { hasuraAdminSecret: [] }],
      parameters: [headerParameter("Accept")],
      requestBody: {
        required: true,
        content: jsonContent({
          type: "object",
          properties: {
            query: { ...text, description: "The document.", examples: ["{ user_session { id role } }"] },
            variables: {
              ...{ type: ["object", "null"], examples: [{}] },
              description: "Values of the operation's variables.",
            },
            operationName: {
              ...{ type: ["string", "null"], examples: [null] },
              description: "Which operation of the document to run, if it has several.",
            },
            extensions: {
              ...{ type: ["object", "null"], examples: [{}] },
              description: "A member of GraphQL over HTTP, which the service ignores.",
            },
          },
          required: ["query"],
        }),
      },
      responses: {
        200: {
          ...json(
            "The result; in application/json, errors that lie in the document are answered 200 too.",
            resultOrFailure,
          ),
          content: { ...jsonContent(resultOrFailure), ...jsonContent(result, [graphqlJson]) },
        },
        400: {
          description: `No GraphQL request, or, in ${graphqlJson}, a document that is wrong.`,
          headers: everyHeader,
          content: {
            // A request whose Host is malformed is refused before its path counts.
            ...jsonContent(anyOf([refusal("validation-failed"), errorSchema([{ code: "INVALID_REQUEST" }])])),
            ...jsonContent(failure, [graphqlJson]),
          },
        },
        401: refused("No valid token.", "access-denied", 401),
        406: refused("Accept allows no media type that we send.", "validation-failed"),
        413: refused("The body is larger than 64 KiB.", "limit-exceeded"),
        415: refused("The body is not JSON.", "validation-failed"),
        429: withRetryAfter(
          refused(
            "The caller has spent its share of the server's time: try again after Retry-After.",
            "limit-exceeded",
          ),
        ),
        500: refused("A fault of the service.", "unexpected"),
        503: refused(
          "The database cannot take the request now: try again after Retry-After.",
          "unexpected",
          503,
        ),
      },
    },
  },
};
