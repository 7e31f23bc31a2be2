import { errorResponses } from "./error_responses.ts";
import type { JsonObject } from "./schemas.ts";

const bearer = (description: string): JsonObject => ({
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description,
});

const header = (description: string, example: string): JsonObject => ({
  description,
  example,
  schema: { type: "string" },
});

const { 405: methodNotAllowed } = errorResponses([{ code: "INVALID_REQUEST", reason: "method_not_allowed" }]);

/** Security schemes and headers that operations refer to. */
export const components: JsonObject = {
  securitySchemes: {
    accessToken: bearer(
      "An access token. It is good while its session is: a revocation counts from the next request on.",
    ),
    refreshToken: bearer("A refresh token, the same one as in the body."),
    webhookSecret: {
      type: "apiKey",
      in: "header",
      name: "X-Webhook-Secret",
      description: "AUTH_WEBHOOK_SECRET, where one is set.",
    },
    twilioSignature: {
      type: "apiKey",
      in: "header",
      name: "X-Twilio-Signature",
      description: "Twilio's signature of the URL and the form.",
    },
    webhookSignature: {
      type: "apiKey",
      in: "header",
      name: "webhook-signature",
      description:
        "v1, and the HMAC-SHA-256 (base64) of webhook-id, webhook-timestamp and the body under SMS_HTTP_SIGNING_SECRET, as Standard " +
        "Webhooks describes it.",
    },
    resourceServer: {
      type: "http",
      scheme: "basic",
      description: "The name and secret of one of RESOURCE_SERVERS.",
    },
    adminSecret: {
      type: "apiKey",
      in: "header",
      name: "X-Admin-Secret",
      description: "ADMIN_SECRET: GraphQL as role admin.",
    },
    hasuraAdminSecret: {
      type: "apiKey",
      in: "header",
      name: "X-Hasura-Admin-Secret",
      description: "The same as X-Admin-Secret, under the name that Hasura's clients use.",
    },
  },
  responses: {
    MethodNotAllowed: {
      ...(methodNotAllowed as JsonObject),
      description:
        "INVALID_REQUEST: The path does not take the method that the request has. details.reason: method_not_allowed.",
    },
  },
  headers: {
    Allow: header("The methods that the path takes.", "GET, HEAD"),
    "Cache-Control": header("Whether, and how long, a copy may be kept.", "no-store"),
    "Content-Encoding": header("gzip, if the request accepts it.", "gzip"),
    ETag: header("The version of the document, for If-None-Match.", 'W/"0a1b2c3d4e5f6a7b8c9d0e"'),
    "X-Request-Id": header(
      "The id that the request sent, if it matches the pattern; otherwise a new one.",
      "0197f0a4-6f2b-7c3d-9e4f-5a6b7c8d9e0f",
    ),
    "WWW-Authenticate": header(
      "A challenge (RFC 6750; RFC 7617 for resource servers).",
      'Bearer realm="latchkey", error="invalid_token"',
    ),
    "Retry-After": header("Seconds until the request may succeed.", "42"),
    RateLimit: header(
      "What is left of the limit, and in how many seconds it is free again (IETF draft). Fraud rules send none.",
      '"LOGINS_PER_PHONE";r=0;t=42',
    ),
    "RateLimit-Policy": header(
      "The limit that was spent: q requests in w seconds (IETF draft). Fraud rules send none.",
      '"LOGINS_PER_PHONE";q=5;w=900',
    ),
    Vary: header("The request headers that the response depends on.", "Accept-Encoding"),
  },
};
