// Paths that more than the list of routes speaks of.

/** What GraphQL asks who a request comes from, where AUTH_WEBHOOK_URL names no other. */
export const webhookPath = "/api/v1/auth/webhook/authorize";
export const livePath = "/live";
export const readyPath = "/ready";
