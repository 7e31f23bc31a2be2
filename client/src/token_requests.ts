import { errorOf, failureOf, type LatchkeyError, type Result } from "./errors.ts";
import type { Send, SendOptions } from "./send_request.ts";
import type { Tokens } from "./session_tokens.ts";

/**
 * How long each attempt of a refresh waits before it starts, and for its response. The response that was lost may be
 * the one that replaced the token: the server repeats it for 10 seconds (REFRESH_REUSE_GRACE_SECONDS), so these have
 * short time-outs. The last one is for slow networks.
 */
const attempts = [
  { pauseMs: 0, timeoutMs: 4_000 },
  { pauseMs: 250, timeoutMs: 4_000 },
];
const lastAttempt = { pauseMs: 1_000, timeoutMs: 15_000 };
type Attempt = typeof lastAttempt;

/** Whether the server has said that the session is over. Nothing else ends a session, network failures included. */
export const isOver = ({ code }: LatchkeyError): boolean =>
  code === "SESSION_REVOKED" || code === "SESSION_NOT_FOUND" || code === "SESSION_MISMATCH";

/**
 * Whether a retry may help. The service would refuse a refused request again, and a client must wait for the seconds of
 * Retry-After.
 */
const mayPass = (error: LatchkeyError): boolean => !("status" in error) || error.status >= 500;

/** Replaces both tokens. A lost response is requested again with the same token. */
export async function refresh(send: Send, token: string): Promise<Result<Tokens>> {
  for (const attempt of attempts) {
    const result = await tryRefresh(send, token, attempt);
    if (!result.error || !mayPass(result.error)) return result;
  }
  return tryRefresh(send, token, lastAttempt);
}

async function tryRefresh(send: Send, token: string, { pauseMs, timeoutMs }: Attempt): Promise<Result<Tokens>> {
  if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  // React Native has no AbortSignal.timeout.
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(new Error(`There was no response in ${timeoutMs} ms.`)), timeoutMs);
  try {
    return await requestTokens(send, "refresh", {
      token,
      body: { refresh_token: token },
      signal: end.signal,
    });
  } finally {
    clearTimeout(timer);
  }
}

export const openGuest = (send: Send): Promise<Result<Tokens>> => requestTokens(send, "guest", {});

async function requestTokens(
  send: Send,
  action: string,
  options: Omit<SendOptions, "method">,
): Promise<Result<Tokens>> {
  try {
    const answer = await send(`/api/v1/auth/session/${action}`, { method: "POST", ...options });
    const tokens = tokensIn((answer.body as { data?: unknown } | null | undefined)?.data);
    return tokens ? { data: tokens } : { error: errorOf(answer) };
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
