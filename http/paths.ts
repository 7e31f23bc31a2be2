// Paths that several folders use.

/** The authorization webhook that GraphQL calls unless AUTH_WEBHOOK_URL is set. */
export const webhookPath = "/api/v1/auth/webhook/authorize";
export const livePath = "/live";
export const readyPath = "/ready";
export const readyDeliveryPath = "/ready/delivery";
/** Where GraphQL answers POST, and sockets. */
export const graphqlPath = "/v1/graphql";
export const consolePath = "/console";
/** The public keys that verify our tokens. */
export const jwksPath = "/.well-known/jwks.json";
/** For resource servers (RFC 7662, RFC 7009). They stand at the root, where the standards' clients expect them. */
export const introspectionPath = "/oauth/introspect";
export const revocationPath = "/oauth/revoke";
/** What an issuer offers, for clients of OpenID Connect and of OAuth (RFC 8414). */
export const discoveryPaths = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"] as const;
