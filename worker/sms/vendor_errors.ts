import type { SendResult } from "./provider.ts";

/** The longest that POST /otp/send waits by default: a later response would be useless. */
export const vendorTimeoutMs = 10_000;

/** Errors of a connection that failed before the request was written: the SMS was certainly not sent. */
const unreachableCodes = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"],
  ...[
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
]);

/**
 * The result of a request that got no response.
 * @param error of the HTTP client. Only its code or its name is told: its message may repeat the request.
 */
export function resultOfConnectionError(error: unknown): SendResult {
  const { code, name } = error as { code?: unknown; name: string };
  // The code of a DOMException, such as a time-out, is a number.
  const reason = typeof code === "string" ? code : name;
  return { outcome: unreachableCodes.has(reason) ? "unreachable" : "uncertain", reason };
}

/**
 * The result of a response without success.
 * @param vendorCode the vendor's own code, a number or a short name
 */
export function resultOfFailedResponse(status: number, vendorCode?: number | string): SendResult {
  // A vendor may have sent the SMS and then answered 5xx or 408. Any other status is a definite refusal.
  const outcome = status >= 500 || status === 408 ? "uncertain" : "refused";
  return { outcome, reason: `HTTP ${status}${vendorCode === undefined ? "" : `, code ${vendorCode}`}` };
}

/** Names the variables of the environment that are not set; undefined if all are. */
export function missingVariables(variables: Record<string, string | undefined>): string | undefined {
  const missing = Object.keys(variables).filter((name) => variables[name] === undefined);
  return missing.length === 0 ? undefined : `not set in the worker's environment: ${missing.join(", ")}`;
}
