// Paths that several folders use.

/** The authorization webhook that GraphQL calls unless AUTH_WEBHOOK_URL is set. */
export const webhookPath = "/api/v1/auth/webhook/authorize";
export const livePath = "/live";
export const readyPath = "/ready";
export const readyDeliveryPath = "/ready/delivery";
/** Where GraphQL answers POST, and sockets. */
export const graphqlPath = "/v1/graphql";
export const consolePath = "/console";
