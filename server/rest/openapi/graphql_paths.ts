import { errorSchema, everyHeader } from "./error_responses.ts";
import { json, jsonContent, text } from "./json_response.ts";
import { failure, limited, refusal, result, resultOrFailure } from "./graphql_schemas.ts";
import { anyOf, type JsonObject } from "./schemas.ts";

/** The media type of GraphQL over HTTP. */
const graphqlJson = "application/graphql-response+json";
const bothTypes = ["application/json", graphqlJson];

const refused = (description: string, code: string, status?: number): JsonObject => ({
  ...json(description, refusal(code), status),
  content: jsonContent(refusal(code), bothTypes),
});

/** The hash of a document that is not stored. */
const notPersisted = refusal("PERSISTED_QUERY_NOT_FOUND");

const responses: JsonObject = {
  200: {
    ...json("The result; in application/json, errors that lie in the document get 200 too.", resultOrFailure),
    content: {
      ...jsonContent(anyOf([resultOrFailure, notPersisted])),
      ...jsonContent(anyOf([result, notPersisted]), [graphqlJson]),
    },
  },
  400: {
    description: `No GraphQL request; an X-Hasura-Role or id that is not the caller's; or, in ${graphqlJson}, a document that is wrong.`,
    headers: everyHeader,
    content: {
      // A request whose Host is malformed is refused before its path counts.
      ...jsonContent(
        anyOf([refusal("validation-failed", "access-denied"), errorSchema([{ code: "INVALID_REQUEST" }])]),
      ),
      ...jsonContent(anyOf([failure, refusal("validation-failed", "access-denied")]), [graphqlJson]),
    },
  },
  401: refused("No valid token.", "access-denied", 401),
  406: refused("Accept allows no media type that we send.", "validation-failed"),
  413: refused("The body is larger than 64 KiB.", "limit-exceeded"),
  415: refused("The body is not JSON.", "validation-failed"),
  429: {
    ...json(
      "The caller has spent its share of the server's time, or sent too many wrong admin secrets: try again after Retry-After.",
      limited,
      429,
    ),
    content: jsonContent(limited, bothTypes),
  },
  500: refused("A fault of the service.", "unexpected"),
  503: refused("The database cannot take the request now: try again after Retry-After.", "unexpected", 503),
};

/** Without those of a body. */
const reading = Object.fromEntries(Object.entries(responses).filter(([status]) => !["413", "415"].includes(status)));

const security = [{ accessToken: [] }, { adminSecret: [] }, { hasuraAdminSecret: [] }];

const parameter = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: "query",
  description,
  schema: text,
  example,
});

/** GraphQL over HTTP. */
export const graphqlPaths: JsonObject = {
  "/v1/graphql": {
    post: {
      operationId: "graphql",
      tags: ["data"],
      summary: "GraphQL over HTTP",
      description:
        "The data API in Hasura's dialect: docs/graphql.md. A subscription runs over a WebSocket on the same path. The header `Accept` decides which of " +
        "the two media types the response has; without it, application/json; one that allows neither gets 406.",
      security,
      requestBody: {
        required: true,
        content: jsonContent({
          title: "GraphqlRequest",
          type: "object",
          examples: [{ query: "{ user_session { id role } }", variables: {}, operationName: null }],
          properties: {
            query: { ...text, description: "The document.", examples: ["{ user_session { id role } }"] },
            variables: {
              type: ["object", "null"],
              examples: [{}],
              description: "Values of the operation's variables.",
            },
            operationName: {
              type: ["string", "null"],
              examples: [null],
              description: "Which operation of the document to run, if it has several.",
            },
            extensions: {
              type: ["object", "null"],
              examples: [{}],
              description:
                "A member of GraphQL over HTTP. persistedQuery, with version 1 and sha256Hash, stores the document, or names one that is stored.",
            },
          },
        }),
      },
      responses,
    },
    get: {
      operationId: "graphqlGet",
      tags: ["data"],
      summary: "GraphQL over HTTP, by GET",
      description:
        "As POST, for queries alone: a mutation gets 405. The members of its body are parameters, variables and extensions as JSON.",
      security,
      parameters: [
        parameter("query", "The document.", "{ user_session { id role } }"),
        parameter("variables", "JSON: values of the operation's variables.", "{}"),
        parameter("operationName", "Which operation of the document to run, if it has several.", ""),
        parameter("extensions", "JSON: persistedQuery, as in the body.", "{}"),
      ],
      responses: { ...reading, 405: refused("A mutation.", "validation-failed", 405) },
    },
  },
};
