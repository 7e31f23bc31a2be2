import type { AttemptResult } from "../message.ts";

/** The longest time-out of an attempt. That of delivery.message is never longer. */
export const vendorTimeoutMs = 10_000;

/** Errors of a connection that failed before the request was written: the message was certainly not sent. */
const unreachableCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/**
 * The result of a request that got no response.
 * @param error of the HTTP client. The result contains its code or its name, and not its message, which may repeat the request.
 */
export function resultOfConnectionError(error: unknown): AttemptResult {
  const { code, name } = error as { code?: unknown; name: string };
  // The code of a DOMException, such as a time-out, is a number.
  const reason = typeof code === "string" ? code : name;
  return { outcome: unreachableCodes.has(reason) ? "unreachable" : "uncertain", reason };
}

/**
 * An id or code of a vendor's answer; undefined if the text does not look like one. Other text could repeat the
 * message, or hold a NUL or be too long for an index: PostgreSQL would refuse to record the attempt, and the message
 * would be sent again.
 */
export const vendorWord = (value: unknown): string | undefined =>
  (typeof value === "string" || typeof value === "number") && /^[\w.:-]{1,100}$/.test(String(value))
    ? String(value)
    : undefined;

export interface FailedResponse {
  status: number;
  /** The vendor's own code, a number or a short name. */
  vendorCode?: number | string | undefined;
  /**
   * Whether the vendor says that this phone cannot or must not get the message from any vendor. The fallback sends for
   * every other reason: vendors have hundreds of codes about accounts, senders and regions, and add more.
   */
  blamesRecipient: boolean;
  /** The header Retry-After. */
  retryAfter?: string | null | undefined;
}

/** The result of a response without success. */
export function resultOfFailedResponse(response: FailedResponse): AttemptResult {
  const { status, vendorCode, blamesRecipient, retryAfter } = response;
  const word = vendorWord(vendorCode);
  // A vendor may have sent the message and then answered 5xx or 408.
  const isUncertain = status >= 500 || status === 408;
  return {
    outcome: isUncertain ? "uncertain" : blamesRecipient ? "refused" : "declined",
    reason: `HTTP ${status}${word === undefined ? "" : `, code ${word}`}`,
    retryAfterSeconds: secondsOf(retryAfter),
  };
}

/**
 * Seconds of a Retry-After header, RFC 9110 section 10.2.3, at most a day; undefined if there is none or it is
 * malformed.
 */
function secondsOf(header: string | null | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = /^[0-9]+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, Math.ceil(seconds)), 86_400);
}

/** Names the variables of the environment that are not set; undefined if all are. */
export function missingVariables(variables: Record<string, string | undefined>): string | undefined {
  const missing = Object.keys(variables).filter((name) => variables[name] === undefined);
  return missing.length === 0 ? undefined : `not set in the worker's environment: ${missing.join(", ")}`;
}
