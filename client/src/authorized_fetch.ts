import { NoToken } from "./errors.ts";
import type { Answer, Send } from "./send_request.ts";
import type { OwnSession } from "./session.ts";

/** Routes below /api/v1 that take no access token. */
export const publicRoutes: readonly string[] = [
  "GET /health",
  "GET /openapi.json",
  "POST /auth/login/factor",
  "POST /auth/login/factor/options",
  "POST /auth/login/passkey/options",
  "POST /auth/register",
  "POST /auth/reset-password",
  "POST /auth/reset-password/verify",
  "POST /auth/session/guest",
  "POST /auth/session/refresh",
  "POST /otp/receipts/http",
  "POST /otp/receipts/twilio",
  "POST /otp/receipts/vonage",
  "POST /otp/send",
];

/** Routes below /api/v1 that take a guest's access token, to make the guest a user, and refuse a user's. */
export const promotingRoutes: readonly string[] = [
  "POST /auth/login",
  "POST /auth/login/otp",
  "POST /auth/login/passkey",
  "POST /auth/register/verify",
];

/**
 * Returns a function that sends requests with the session's access token. A request whose token was refused is repeated
 * once with another one.
 * @throws NoResponse, NoToken
 */
export function createAuthorizedSend(session: OwnSession, send: Send): Send {
  return async (path, options) => {
    const route = `${options.method} ${path.replace(/^\/api\/v1/, "")}`;
    const isPromoting = promotingRoutes.includes(route);
    if (publicRoutes.includes(route) || (isPromoting && session.current?.userType !== "guest"))
      return send(path, options);
    const { data: token, error } = await session.accessToken();
    // Signing in works without a guest's token: a guest that cannot be refreshed now is not promoted.
    if (error && !isPromoting) throw new NoToken(error);
    if (!token) return send(path, options);

    const answer = await send(path, { ...options, token });
    const fault = faultOf(answer);
    if (!fault) return answer;
    const replaced = await session.replace(token, fault);
    if (replaced.error && !isPromoting) throw new NoToken(replaced.error);
    if (replaced.data) return send(path, { ...options, token: replaced.data });
    // The guest session has ended: the request changed nothing, and is valid without a token.
    return isPromoting ? send(path, options) : answer;
  };
}

/** Whether an answer says that the token is invalid; the session may have ended too. */
function faultOf({ status, body }: Answer): "over" | "unknown" | undefined {
  if (status !== 401) return undefined;
  const { error, errors } = (body ?? {}) as {
    error?: { code?: string; details?: { reason?: string } | null };
    errors?: unknown;
  };
  // GraphQL does not say why.
  if (errors) return "unknown";
  const { code, details } = error ?? {};
  if (code === "SESSION_REVOKED" || details?.reason === "session_missing") return "over";
  return code === "SESSION_NOT_FOUND" ? "unknown" : undefined;
}
