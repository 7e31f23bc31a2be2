import type { ErrorCode } from "../../../http/problem.ts";
import { anyOf, closed, type JsonObject } from "./schemas.ts";

/** What decides which details the errors of an operation may have. */
export interface OperationTraits {
  /** The JSON Schema of the request's body. Left out: the operation takes none. */
  body?: JsonObject | undefined;
  /** The arguments of the operation's SQL function. */
  args?: Readonly<Record<string, unknown>>;
  /** Whether a request without a token passes. */
  isTokenOptional?: boolean;
}

interface BodySchema {
  properties?: Record<string, JsonObject>;
  required?: string[];
}

/** The first field that a body requires, or its first field if it requires none; a nested one with dots. */
function firstField(body: JsonObject | undefined): string {
  const { properties = {}, required = Object.keys(properties) } = (body ?? {}) as BodySchema;
  const [first = "phone"] = required;
  return properties[first]?.properties ? `${first}.${firstField(properties[first])}` : first;
}

const newPasswordField = ({ required = [] }: BodySchema): string =>
  required.find((name) => /password$/i.test(name)) ?? "password";

const fieldOf = (example: string): JsonObject => ({
  type: "string",
  minLength: 1,
  examples: [example],
  description: "The field that is wrong; a nested one with dots.",
});
const reasonOf = (reasons: readonly string[]): JsonObject => ({
  type: "string",
  enum: [...reasons],
  description: "What exactly went wrong (docs/errors.md). A newer version may send others.",
});
const count = (description: string, example: number): JsonObject => ({
  type: "integer",
  minimum: 0,
  description,
  examples: [example],
});
const policyOf = (pattern: string, example: string): JsonObject => ({
  type: "string",
  pattern,
  examples: [example],
  description: "The setting that refuses the request.",
});
const hookReason: JsonObject = {
  type: "string",
  maxLength: 200,
  description: "What the deployment's own rule says.",
  examples: ["Phones of this country cannot register."],
};
const provider: JsonObject = {
  type: "string",
  enum: ["turnstile", "hcaptcha", "recaptcha"],
  description: "Whose captcha it is.",
};
const siteKey: JsonObject = {
  type: ["string", "null"],
  description: "The public key with which a page shows the captcha; null: the service has none.",
  examples: ["0x4AAAAAAA"],
};
const retryAfterSeconds = count("Seconds until the request may succeed.", 42);

/**
 * Any request may be malformed HTTP. The rules for passwords and autofill are those of the SQL functions that take such
 * an argument.
 */
function invalidRequest({ body, args = {} }: OperationTraits): JsonObject[] {
  if (!body) return [closed({ reason: reasonOf(["malformed"]) })];
  const ofField = (reasons: string[], field = firstField(body), more: JsonObject = {}) =>
    closed({ reason: reasonOf(reasons), field: fieldOf(field), ...more });
  const newPassword = newPasswordField(body);
  return [
    closed({ reason: reasonOf(["malformed", "not_an_object"]) }),
    ofField(["wrong_type", "invalid"]),
    // What registers a phone, or sends a code to one.
    ...("email" in args || "country" in args ? [closed({ reason: reasonOf(["refused_by_hook"]), hookReason })] : []),
    ...("autofill_origin" in args
      ? [ofField(["autofill_not_allowed"], "input.autofill"), ofField(["channel_not_allowed"], "input.channel")]
      : []),
    ...("password_is_common" in args
      ? [
          ofField(["too_common"], newPassword),
          ofField(["too_short"], newPassword, { minimum: count("The minimum number of characters.", 8) }),
          ofField(["too_long"], newPassword, { maximum: count("The maximum number of characters.", 256) }),
        ]
      : []),
  ];
}

/** A fraud rule judges a phone by its country. It names no bounds: they would help an attacker to stay below them. */
const rateLimitExceeded = ({ args = {} }: OperationTraits): JsonObject[] => [
  closed({
    retryAfterSeconds,
    policy: policyOf("^(?!FRAUD_)[A-Z_]+$", "LOGINS_PER_PHONE"),
    requests: count("Requests that the limit allows.", 5),
    seconds: count("The length of the limit's window in seconds.", 900),
  }),
  ...("country" in args ? [closed({ retryAfterSeconds, policy: policyOf("^FRAUD_[A-Z_]+$", "FRAUD_COUNTRY") })] : []),
];

const sessionNotFound = ({ args = {}, isTokenOptional }: OperationTraits): JsonObject[] => [
  closed({
    reason: reasonOf([
      ...(isTokenOptional ? [] : ["token_missing"]),
      "token_invalid",
      "token_expired",
      "session_missing",
      // Only refreshing compares a refresh token with the newest one.
      ...("refresh_token_id" in args ? ["token_replaced"] : []),
    ]),
  }),
];

/**
 * The details of each code that has some. Here are only the reasons that leave the code its own status: those with a
 * status of their own are declared by routes and SQL functions.
 */
const detailsByCode: Partial<Record<ErrorCode, (traits: OperationTraits) => JsonObject[]>> = {
  INVALID_REQUEST: invalidRequest,
  MISSING_FIELDS: ({ body }) => [
    closed({
      fields: {
        type: "array",
        items: fieldOf(firstField(body)),
        minItems: 1,
        description: "All that are missing.",
      },
    }),
  ],
  INVALID_IDENTIFIER: ({ body }) => [closed({ field: fieldOf(firstField(body)) })],
  INVALID_PURPOSE: () => [closed({ field: fieldOf("input.purpose") })],
  INVALID_OTP_FORMAT: ({ args = {} }) => [closed({ field: fieldOf("otp" in args ? "otp" : "code") })],
  RATE_LIMIT_EXCEEDED: rateLimitExceeded,
  SESSION_NOT_FOUND: sessionNotFound,
  SESSION_REVOKED: ({ args = {} }) => [
    { type: "null" },
    // Of the refresh that revokes: later ones have no details.
    ...("refresh_token_id" in args ? [closed({ reason: reasonOf(["token_reused"]) })] : []),
  ],
};

const aal2: JsonObject = {
  type: "string",
  enum: ["aal2"],
  description: "The session must have proved a second factor (RFC 9470). Left out: any sign-in will do.",
};

const factors: JsonObject = {
  type: "array",
  items: { type: "string", enum: ["totp", "passkey"] },
  minItems: 1,
  description: "The kinds of second factors that the account has.",
};

/** What stands beside a reason of its own status; acr_values, and factors beside it, only where they are needed. */
const membersByReason: Record<string, JsonObject> = {
  proof_required: { provider, siteKey },
  step_up_required: { max_age: count("How old the proof may be, in seconds.", 600), acr_values: aal2, factors },
  second_factor_required: {
    challenge_id: {
      type: "string",
      format: "uuid",
      description: "What POST /auth/login/factor answers.",
      examples: ["0197f0a4-6f2b-4c3d-9e4f-5a6b7c8d9e0f"],
    },
    factors,
    expires_at: { type: "string", format: "date-time", description: "Until when it may be answered." },
  },
  too_many_factors: { maximum: count("How many an account may have.", 10) },
};

function reasonsOfOwnStatus(reasons: readonly string[]): JsonObject[] {
  const [plain, withMembers] = [false, true].map((has) =>
    reasons.filter((reason) => reason in membersByReason === has),
  );
  return [
    ...(plain?.length ? [closed({ reason: reasonOf(plain) })] : []),
    ...(withMembers ?? []).map((reason) =>
      closed(
        { reason: reasonOf([reason]), ...membersByReason[reason] },
        { optional: reason === "step_up_required" ? ["acr_values", "factors"] : [] },
      ),
    ),
  ];
}

/**
 * The details of an error.
 * @param reasons values of details.reason that have a status of their own; undefined: those that leave the code its status
 */
export function detailsSchema(
  code: ErrorCode,
  reasons: readonly (string | undefined)[],
  traits: OperationTraits,
): JsonObject {
  const ownStatus = reasons.filter((reason) => reason !== undefined);
  return anyOf([
    ...(reasons.includes(undefined) ? (detailsByCode[code]?.(traits) ?? [{ type: "null" }]) : []),
    ...reasonsOfOwnStatus(ownStatus),
  ]);
}
