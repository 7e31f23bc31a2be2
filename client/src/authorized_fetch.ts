import { NoToken } from "./errors.ts";
import type { OwnSession } from "./session.ts";

/** Routes below /api/v1 that take no access token. */
export const publicRoutes: readonly string[] = [
  "GET /health",
  "GET /openapi.json",
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
  "POST /auth/register/verify",
];

type Fetch = (request: Request) => Promise<Response>;

/**
 * Creates a fetch that sends the session's access token. A request whose token was refused is repeated once with another one.
 * @throws what `send` throws: the network failed
 */
export function createAuthorizedFetch(url: string, session: OwnSession, send: Fetch): Fetch {
  const withToken = (request: Request, token: string): Promise<Response> => {
    const copy = request.clone();
    copy.headers.set("Authorization", `Bearer ${token}`);
    return send(copy);
  };

  return async (request) => {
    const route = `${request.method} ${request.url.slice(`${url}/api/v1`.length)}`;
    const isPromoting = promotingRoutes.includes(route);
    if (publicRoutes.includes(route) || (isPromoting && session.current?.userType !== "guest"))
      return send(request);
    const { data: token, error } = await session.accessToken();
    // Signing in works without a guest's token: a guest that cannot be refreshed now is not promoted.
    if (error && !isPromoting) throw new NoToken(error);
    if (!token) return send(request);

    const response = await withToken(request, token);
    const fault = await faultOf(response);
    if (!fault) return response;
    const replaced = await session.replace(token, fault);
    if (replaced.error && !isPromoting) throw new NoToken(replaced.error);
    if (replaced.data) return withToken(request, replaced.data);
    // The guest session has ended: the request changed nothing, and is valid without a token.
    return isPromoting ? send(request) : response;
  };
}

/** Whether a response says that the token is invalid; the session may have ended too. */
async function faultOf(response: Response): Promise<"over" | "unknown" | undefined> {
  if (response.status !== 401) return undefined;
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as {
    error?: { code?: string; details?: { reason?: string } | null };
    errors?: unknown;
  } | null;
  // GraphQL does not say why.
  if (body?.errors) return "unknown";
  const { code, details } = body?.error ?? {};
  if (code === "SESSION_REVOKED" || details?.reason === "session_missing") return "over";
  return code === "SESSION_NOT_FOUND" ? "unknown" : undefined;
}
