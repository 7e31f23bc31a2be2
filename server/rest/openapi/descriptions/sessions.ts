import type { Descriptions } from "./description.ts";

/** Routes of sessions. */
export const ofSessions: Descriptions = {
  "POST /auth/session/guest": {
    summary: "Open a guest session",
    description: "Opens a session without credentials. Its tokens authorize GraphQL as role guest.",
  },
  "POST /auth/session/refresh": {
    summary: "Replace both tokens of a session",
    description:
      "Send the refresh token twice: as bearer token and in the body. Both tokens are replaced and both lifetimes start again. " +
      "The refresh token that was just replaced still works for REFRESH_REUSE_GRACE_SECONDS, so that a lost response can be requested again; " +
      "after that, using it again is taken for theft: REFRESH_REUSE_POLICY says whether the session is revoked or the request refused.",
  },
  "POST /auth/logout": {
    summary: "Revoke the caller's session",
    description: "Revokes the session of the access token. The user's other sessions stay open.",
  },
  "GET /auth/session": {
    summary: "Who is calling",
    description: "The session of the access token, and its user's phone and email; null where there is none.",
  },
  "GET /auth/sessions": {
    summary: "List the user's sessions",
    description:
      "Live sessions, newest first, at most 100. client and user_agent are null while SESSION_CLIENT_DETAILS is off. label and user_agent " +
      "are free text of the client that opened the session: show them as text, never as markup.",
  },
  "POST /auth/sessions/revoke-others": {
    summary: "Revoke all other sessions of the user",
    description: "Revokes every session of the user except the one of the access token, and says how many were live.",
  },
  "DELETE /auth/sessions/{session_id}": {
    summary: "Revoke one of the caller's sessions",
    description:
      "Revokes a live session of the user; it may be the session of the request. Any other id gets 404, and then the access token stays valid.",
  },
};
