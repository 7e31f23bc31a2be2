/** The error catalog: every code with its status and its message for people. docs/errors.md says when each is sent. */
export const catalog = {
  INVALID_REQUEST: { status: 400, message: "The request is not valid." },
  MISSING_FIELDS: { status: 400, message: "Required fields are missing." },
  INVALID_IDENTIFIER: { status: 400, message: "The phone number or email address is not valid." },
  INVALID_PURPOSE: { status: 400, message: "The purpose must be LOGIN, SIGNUP or PASSWORD_RESET." },
  INVALID_OTP_FORMAT: { status: 400, message: "The one-time password has the wrong format." },
  INVALID_OTP: { status: 400, message: "The one-time password is not correct." },
  OTP_EXPIRED: { status: 410, message: "The one-time password has expired." },
  OTP_ALREADY_USED: { status: 409, message: "The one-time password was used already." },
  MAX_ATTEMPTS_REACHED: { status: 429, message: "Too many wrong one-time passwords. Ask for a new one." },
  OTP_SEND_FAILED: { status: 502, message: "The one-time password could not be sent." },
  RATE_LIMIT_EXCEEDED: { status: 429, message: "Too many requests. Try again later." },
  SESSION_NOT_FOUND: { status: 401, message: "There is no such session." },
  SESSION_REVOKED: { status: 401, message: "The session was revoked." },
  SESSION_MISMATCH: { status: 401, message: "The refresh tokens of header and body differ." },
  INTERNAL_ERROR: { status: 500, message: "Something went wrong on our side." },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: "The service cannot take this request now. Try again in a moment.",
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof catalog;

/** Reasons of INVALID_REQUEST that have a status and a message of their own. */
const byReason: Record<string, { status: number; message: string }> = {
  login_refused: { status: 401, message: "Phone or password is not correct." },
  signature_invalid: { status: 401, message: "The signature is missing or wrong." },
  not_found: { status: 404, message: "There is no such route." },
  method_not_allowed: { status: 405, message: "This route does not take this method." },
  already_registered: { status: 409, message: "This phone is registered already." },
  too_large: { status: 413, message: "The request body is too large." },
  unsupported_media_type: {
    status: 415,
    message: "The request body must be JSON, or a form where the route takes one.",
  },
};

/** Thrown to answer a request with an error of the catalog. */
export class Problem extends Error {
  override name = "Problem";
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | null;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    details: Record<string, unknown> | null = null,
    headers: Record<string, string> = {},
    options: ErrorOptions = {},
  ) {
    const override = code === "INVALID_REQUEST" ? byReason[String(details?.reason)] : undefined;
    const { status, message } = override ?? catalog[code];
    super(message, options);
    this.code = code;
    this.details = details;
    this.status = status;
    this.headers = { ...standardHeaders(code, status, details), ...headers };
  }
}

function standardHeaders(
  code: ErrorCode,
  status: number,
  details: Record<string, unknown> | null,
): Record<string, string> {
  if (status === 401) return { "WWW-Authenticate": challenge(code, details) };
  if (status === 503) return { "Retry-After": "2" };
  if (code !== "RATE_LIMIT_EXCEEDED" || details === null) return {};
  const { policy, requests, seconds, retryAfterSeconds } = details as Partial<
    Record<string, string | number>
  >;
  // A fraud rule has no quota that a client may plan with.
  if (requests === undefined) return { "Retry-After": String(retryAfterSeconds) };
  // Structured fields of the IETF draft "RateLimit header fields for HTTP".
  return {
    "Retry-After": String(retryAfterSeconds),
    "RateLimit-Policy": `"${policy}";q=${requests};w=${seconds}`,
    RateLimit: `"${policy}";r=0;t=${retryAfterSeconds}`,
  };
}

/** RFC 6750 section 3: no error code for a request without a token, invalid_token for a bad token. */
function challenge(code: ErrorCode, details: Record<string, unknown> | null): string {
  const hasNoToken = code === "INVALID_REQUEST" || details?.reason === "token_missing";
  return hasNoToken ? 'Bearer realm="latchkey"' : 'Bearer realm="latchkey", error="invalid_token"';
}
