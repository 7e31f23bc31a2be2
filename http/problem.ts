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
  MAX_ATTEMPTS_REACHED: {
    status: 429,
    message:
      "Too many wrong one-time passwords. Request a new one. If it is refused in the same way, try again in a day.",
  },
  OTP_SEND_FAILED: { status: 502, message: "The one-time password could not be sent." },
  RATE_LIMIT_EXCEEDED: { status: 429, message: "Too many requests. Try again later." },
  SESSION_NOT_FOUND: { status: 401, message: "There is no such session." },
  SESSION_REVOKED: { status: 401, message: "The session was revoked." },
  SESSION_MISMATCH: { status: 401, message: "The token is not the one that this request needs." },
  INTERNAL_ERROR: { status: 500, message: "Something went wrong on our side." },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: "The service cannot take this request now. Try again in a moment.",
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof catalog;

interface ReasonEntry {
  code: ErrorCode;
  status: number;
  message: string;
  /** The message where the caller is signed in, and named nobody. */
  messageForUser?: string;
}

const invalid = (status: number, message: string): ReasonEntry => ({
  code: "INVALID_REQUEST",
  status,
  message,
});

/** Values of details.reason that have a message of their own, and mostly a status. */
const byReason = {
  replaced: {
    code: "INVALID_OTP",
    status: 400,
    message: "A newer one-time password was sent. Use that one.",
  },
  login_refused: {
    ...invalid(401, "Phone or password is not correct."),
    messageForUser: "The password is not correct.",
  },
  signature_invalid: invalid(401, "The signature is missing or wrong."),
  user_session_required: invalid(403, "This route is for users. The token is a guest's."),
  recent_sign_in_required: invalid(403, "Sign in again first: this needs a sign-in of the last ten minutes."),
  // RFC 9470: the session is fine, and its user must show again that it is there.
  step_up_required: invalid(401, "Confirm that it is you first: sign in again, or step up the session."),
  second_factor_required: invalid(401, "A second factor is needed to sign in."),
  second_factor_setup_required: invalid(403, "Add a second factor first: this service requires one."),
  factor_not_found: invalid(404, "There is no such second factor of yours."),
  last_factor: invalid(409, "This is the last second factor, and this service requires one."),
  too_many_factors: invalid(409, "There are as many second factors as an account may have."),
  proof_required: invalid(403, "A proof of the captcha is required, and each counts once."),
  not_enabled: invalid(404, "This is turned off."),
  not_found: invalid(404, "There is no such route."),
  // Not 401: the caller's own token is valid, and a client must not discard it.
  not_own_session: {
    code: "SESSION_NOT_FOUND",
    status: 404,
    message: "There is no such session of yours.",
  },
  method_not_allowed: invalid(405, "This route does not take this method."),
  not_acceptable: invalid(406, "Accept allows no media type that we send."),
  already_registered: invalid(409, "This phone or email is registered already."),
  too_large: invalid(413, "The request body is too large."),
  unsupported_media_type: invalid(
    415,
    "The request body must be JSON, or a form where the route takes one, and without a Content-Encoding.",
  ),
} as const satisfies Record<string, ReasonEntry>;

/** A value of details.reason that has a message of its own. */
export type Reason = keyof typeof byReason;

export const reasons = Object.keys(byReason);

const entries = new Map<string, ReasonEntry>(Object.entries(byReason));
const entryOf = (reason: unknown): ReasonEntry | undefined => entries.get(String(reason));

/** @throws Error when the reason has no status of its own: a route declares it wrongly */
export function codeOfReason(reason: string): ErrorCode {
  const entry = entryOf(reason);
  if (!entry) throw new Error(`${reason} has no status of its own in http/problem.ts`);
  return entry.code;
}

/** When to try again what a busy process refused. */
export const retryAfterSeconds = 2;

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
    { isOfUser = false, ...options }: ErrorOptions & { isOfUser?: boolean } = {},
  ) {
    const entry = entryOf(details?.reason);
    const {
      status,
      message,
      messageForUser = message,
    }: Omit<ReasonEntry, "code"> = entry?.code === code ? entry : catalog[code];
    super(isOfUser ? messageForUser : message, options);
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
  if (status === 503) return { "Retry-After": String(retryAfterSeconds) };
  if (code !== "RATE_LIMIT_EXCEEDED" || details === null) return {};
  const { policy, requests, seconds, retryAfterSeconds: wait } = details as Partial<Record<string, string | number>>;
  // A fraud rule has no quota that a client may plan with.
  if (requests === undefined) return { "Retry-After": String(wait) };
  // Structured fields of the IETF draft "RateLimit header fields for HTTP".
  return {
    "Retry-After": String(wait),
    "RateLimit-Policy": `"${policy}";q=${requests};w=${seconds}`,
    RateLimit: `"${policy}";r=0;t=${wait}`,
  };
}

/** RFC 6750 section 3: no error code for a request without a token, invalid_token for a bad token. */
function challenge(code: ErrorCode, details: Record<string, unknown> | null): string {
  if (details?.reason === "step_up_required")
    return stepUpChallenge(details as Partial<Record<string, string | number>>);
  const hasNoToken = code === "INVALID_REQUEST" || details?.reason === "token_missing";
  return hasNoToken ? 'Bearer realm="latchkey"' : 'Bearer realm="latchkey", error="invalid_token"';
}

/** RFC 9470 section 3. */
function stepUpChallenge({ max_age, acr_values }: Partial<Record<string, string | number>>): string {
  const acr = acr_values === undefined ? "" : `, acr_values="${acr_values}"`;
  return `Bearer error="insufficient_user_authentication", max_age=${max_age}${acr}`;
}
