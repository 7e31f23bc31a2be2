import { discoveryPaths, introspectionPath, revocationPath } from "../../../http/paths.ts";
import type { ErrorCode } from "../../../http/problem.ts";
import { formType } from "../read_body.ts";
import { errorResponses, errorSchema, type DocumentedError } from "./error_responses.ts";
import { json, jsonContent, text } from "./json_response.ts";
import { anyOf, closed, type JsonObject } from "./schemas.ts";

const strings = (description: string, ...examples: string[]): JsonObject => ({
  type: "array",
  items: text,
  examples: [examples],
  description,
});
const address = (description: string, path: string): JsonObject => ({
  type: "string",
  format: "uri",
  examples: [`https://auth.example.com${path}`],
  description,
});

const discovery = closed(
  {
    issuer: address("iss of every token: JWT_ISSUER.", ""),
    jwks_uri: address("The public keys.", "/.well-known/jwks.json"),
    response_types_supported: {
      type: "array",
      items: text,
      maxItems: 0,
      examples: [[]],
      description: "None: this service has no OAuth grants.",
    },
    grant_types_supported: { type: "array", items: text, maxItems: 0, examples: [[]], description: "None." },
    subject_types_supported: strings("sub is the same for every client.", "public"),
    id_token_signing_alg_values_supported: strings("The algorithms of the keys.", "ES256"),
    claims_supported: strings("Claims of access tokens.", "iss", "sub", "aud"),
    introspection_endpoint: address("Where RESOURCE_SERVERS is set.", introspectionPath),
    introspection_endpoint_auth_methods_supported: strings("HTTP Basic.", "client_secret_basic"),
    revocation_endpoint: address("Where RESOURCE_SERVERS is set.", revocationPath),
    revocation_endpoint_auth_methods_supported: strings("HTTP Basic.", "client_secret_basic"),
  },
  {
    title: "Discovery",
    optional: [introspectionPath, revocationPath].flatMap((path) => {
      const name = path === introspectionPath ? "introspection_endpoint" : "revocation_endpoint";
      return [name, `${name}_auth_methods_supported`];
    }),
  },
);

const notOffered: DocumentedError = { code: "INVALID_REQUEST", reason: "not_found" };
const anyRequest: DocumentedError[] = [{ code: "INVALID_REQUEST" }, { code: "INTERNAL_ERROR" }];

const discoveryPath = (operationId: string, standard: string): JsonObject => ({
  get: {
    operationId,
    tags: ["operation"],
    summary: `What this issuer offers (${standard})`,
    description: "For resource servers that find the keys by the issuer. 404 unless JWT_ISSUER is an address.",
    security: [],
    responses: {
      200: json("The keys, the algorithms and the endpoints.", discovery),
      ...errorResponses([...anyRequest, notOffered]),
    },
  },
});

/** An error of OAuth (RFC 6749 section 5.2); a request that is refused before it gets there has the usual one. */
const oauthError = (status: number, error: string, description: string, code?: ErrorCode): JsonObject => ({
  [status]: json(
    `${error}: ${description}`,
    anyOf([
      closed(
        {
          error: { type: "string", enum: [error], description: "OAuth's code." },
          error_description: { ...text, examples: [description], description: "For people; may change." },
        },
        { title: "OauthError" },
      ),
      ...(code === undefined ? [] : [errorSchema([{ code }])]),
    ]),
    status,
  ),
});

const tokenPath = (operationId: string, summary: string, description: string, success: JsonObject): JsonObject => ({
  post: {
    operationId,
    tags: ["operation"],
    summary,
    description: `${description} 404 unless RESOURCE_SERVERS is set.`,
    security: [{ resourceServer: [] }],
    requestBody: {
      required: true,
      content: jsonContent(
        {
          title: "TokenForm",
          type: "object",
          properties: {
            token: { ...text, examples: ["eyJ…"], description: "The token." },
            token_type_hint: {
              ...text,
              examples: ["access_token"],
              description: "Allowed and not needed: the token says what it is.",
            },
          },
          required: ["token"],
        },
        [formType],
      ),
    },
    responses: {
      200: success,
      ...oauthError(400, "invalid_request", "there is no token, or there are two.", "INVALID_REQUEST"),
      ...oauthError(401, "invalid_client", "the name or secret is not one of RESOURCE_SERVERS."),
      ...errorResponses([notOffered]),
      ...oauthError(500, "server_error", "something went wrong on our side.", "INTERNAL_ERROR"),
      ...oauthError(503, "temporarily_unavailable", "the database does not answer."),
    },
  },
});

/** Discovery, introspection and revocation. */
export const oauthPaths: JsonObject = {
  [discoveryPaths[0]]: discoveryPath("discover_openid", "OpenID Connect Discovery 1.0"),
  [discoveryPaths[1]]: discoveryPath("discover_oauth", "RFC 8414"),
  [introspectionPath]: tokenPath(
    "introspect_token",
    "Say whether an access token is live (RFC 7662)",
    "For resource servers that must notice a logout at once: the session is looked up. A refresh token, or one of another issuer or audience, is inactive.",
    json("Whether the token is live; if so, its claims.", {
      title: "Introspection",
      type: "object",
      properties: {
        active: { type: "boolean", description: "Whether the token, and its session, are live." },
        token_type: { type: "string", const: "Bearer", description: "If active." },
        sub: {
          ...text,
          examples: ["0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f"],
          description: "As every other claim: if active.",
        },
      },
      required: ["active"],
    }),
  ),
  [revocationPath]: tokenPath(
    "revoke_token",
    "End the session of a token (RFC 7009)",
    "Of an access or a refresh token. A token that is not valid any more is answered alike.",
    json("The token is of no use.", closed({}, { title: "Revocation" })),
  ),
};
