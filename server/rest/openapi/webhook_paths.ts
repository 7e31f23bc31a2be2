import { webhookPath } from "../../../http/paths.ts";
import { errorResponses } from "./error_responses.ts";
import { json, jsonContent, text } from "./json_response.ts";
import { closed, type JsonObject } from "./schemas.ts";

const message = (example: string): JsonObject =>
  closed({ message: { ...text, description: "For people.", examples: [example] } }, { title: "WebhookRefusal" });

const webhookResponses: JsonObject = {
  // Without additionalProperties: generators would type the named members by it.
  200: json("Who the request comes from. Claims of the application may follow, all of them strings.", {
    title: "WebhookSession",
    type: "object",
    properties: {
      "X-Hasura-Role": {
        type: "string",
        enum: ["guest", "user"],
        examples: ["user"],
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
  }),
  ...errorResponses([{ code: "INVALID_REQUEST" }]),
  401: json("Refused, for whatever reason.", message("There is no such session."), 401),
  503: json(
    "The service cannot decide now: the database does not answer, or something failed.",
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

/** The webhook that authorizes GraphQL. */
export const webhookPaths: JsonObject = {
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
          title: "WebhookRequest",
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
};
