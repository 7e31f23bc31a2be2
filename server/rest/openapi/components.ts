import { acceptableId } from "../../http/request_log.ts";
import type { JsonObject } from "./schemas.ts";

const bearer = (description: string): JsonObject => ({
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description,
});

const header = (description: string, schema: JsonObject): JsonObject => ({ description, schema });

const parameter = (name: string, description: string, schema: JsonObject): JsonObject => ({
  ...{ name, in: "header", required: false, description },
  schema: { type: "string", ...schema },
});

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
      description: "A signature as Standard Webhooks describes it, with webhook-id and webhook-timestamp.",
    },
    adminSecret: {
      type: "apiKey",
      in: "header",
      name: "X-Admin-Secret",
      description: "ADMIN_SECRET: GraphQL as role admin.",
    },
  },
  parameters: {
    "X-Request-Id": parameter(
      "X-Request-Id",
      "An id for the logs, which the answer repeats; an answer to any other has a new one.",
      { pattern: acceptableId.source },
    ),
    "Accept-Language": parameter(
      "Accept-Language",
      "The languages of the person: they decide which text the SMS has (docs/delivery.md).",
      { examples: ["de-AT, de;q=0.9, en;q=0.5"] },
    ),
    "If-None-Match": parameter("If-None-Match", "The ETag of the client's copy: 304 while it is current.", {
      examples: ['W/"0a1b2c3d4e5f6a7b8c9d0e"'],
    }),
  },
  headers: {
    "Cache-Control": header("Whether, and how long, a copy may be kept.", {
      type: "string",
      examples: ["no-store"],
    }),
    ETag: header("The version of the document, for If-None-Match.", { type: "string" }),
    "X-Request-Id": header("The request's own id where it sent an acceptable one, else a new one.", {
      type: "string",
    }),
    "WWW-Authenticate": header("A challenge (RFC 6750).", { type: "string" }),
    "Retry-After": header("Seconds until the request may succeed.", { type: "string" }),
    RateLimit: header(
      "What is left of the limit, and when it is free again (IETF draft). Fraud rules send none.",
      {
        type: "string",
      },
    ),
    "RateLimit-Policy": header("The limit that was spent (IETF draft). Fraud rules send none.", {
      type: "string",
    }),
  },
};
