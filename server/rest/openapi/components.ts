import type { JsonObject } from "./schemas.ts";

const bearer = (description: string): JsonObject => ({
  type: "http",
  scheme: "bearer",
  bearerFormat: "JWT",
  description,
});

const header = (description: string, schema: JsonObject): JsonObject => ({ description, schema });

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
  headers: {
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
