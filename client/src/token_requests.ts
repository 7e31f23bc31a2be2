import { errorOf, failureOf, type LatchkeyError, type Result } from "./errors.ts";
import { redirect } from "./redirect.ts";
import type { Tokens } from "./session_tokens.ts";

/** Sends a request to a path below /api/v1, without the session's token. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

/**
 * How long each attempt of a refresh waits before it starts, and for its response. The response that was lost may be the one that
 * replaced the token: the server repeats it for 10 seconds (REFRESH_REUSE_GRACE_SECONDS), so the first two attempts have short time-outs. The
 * last one is for slow networks.
 */
const attempts = [
  { pauseMs: 0, timeoutMs: 4_000 },
  { pauseMs: 250, timeoutMs: 4_000 },
  { pauseMs: 1_000, timeoutMs: 15_000 },
];

/** Whether the server has said that the session is over. Nothing else ends a session, network failures included. */
export const isOver = ({ code }: LatchkeyError): boolean =>
  code === "SESSION_REVOKED" || code === "SESSION_NOT_FOUND" || code === "SESSION_MISMATCH";

/** Whether a retry may help. The service would refuse a refused request again, and a client must wait for the seconds of Retry-After. */
const mayPass = (error: LatchkeyError): boolean => !("status" in error) || error.status >= 500;

/** Replaces both tokens. A lost response is requested again with the same token. */
export async function refresh(send: Send, token: string): Promise<Result<Tokens>> {
  let result: Result<Tokens> = failureOf(undefined);
  for (const { pauseMs, timeoutMs } of attempts) {
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    result = await requestTokens(send, "/auth/session/refresh", {
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ refresh_token: token }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!result.error || !mayPass(result.error)) break;
  }
  return result;
}

export const openGuest = (send: Send): Promise<Result<Tokens>> =>
  requestTokens(send, "/auth/session/guest", {});

async function requestTokens(send: Send, path: string, init: RequestInit): Promise<Result<Tokens>> {
  try {
    const response = await send(path, { method: "POST", redirect, ...init });
    const body = (await response.json().catch(() => null)) as { data?: unknown } | null;
    const tokens = tokensIn(body?.data);
    return tokens ? { data: tokens } : { error: errorOf(response, body) };
  } catch (cause) {
    return failureOf(cause);
  }
}

/** The tokens in the data of every route that opens or refreshes a session. */
export function tokensIn(data: unknown): Tokens | undefined {
  const { insert_user_session_one: registered, ...own } = (data ?? {}) as Record<string, unknown>;
  const { access_token, refresh_token } = (registered ?? own) as Record<string, unknown>;
  if (typeof access_token !== "string" || typeof refresh_token !== "string") return undefined;
  return { accessToken: access_token, refreshToken: refresh_token, receivedAt: Date.now() };
}
