import {
  account,
  accountExport,
  caller,
  deletion,
  nothing,
  otp,
  readiness,
  revocation,
  session,
  sessionList,
} from "./api_answers.ts";
import { define, type SqlType } from "./api_definition.ts";

/** The codes of private.check_otp. */
const otpErrors = [
  ...(["INVALID_OTP", "INVALID_OTP_FORMAT", "OTP_EXPIRED", "OTP_ALREADY_USED"] as const),
  ...(["MAX_ATTEMPTS_REACHED", "RATE_LIMIT_EXCEEDED"] as const),
];

/** The codes of private.guest_error. */
const guestErrors = ["SESSION_NOT_FOUND", "SESSION_REVOKED", "SESSION_MISMATCH"] as const;

/** What a function that signs a user in takes at its end. */
const signInArguments = {
  user_agent: "text | null",
  label: "text | null",
  guest_session_id: "uuid | null",
} as const;

/**
 * Every function of schema api that answers a request: the only place where TypeScript says what SQL takes and returns.
 * A test compares it with the database's catalog.
 */
export const api = {
  check_health: define({ pool: "health", args: {}, returns: nothing }),
  check_readiness: define({ pool: "health", args: { migration: "text" }, returns: readiness }),
  authorize: define({
    pool: "pipeline",
    args: { session_id: "uuid" },
    returns: session,
    errors: ["SESSION_NOT_FOUND", "SESSION_REVOKED"],
  }),
  create_guest_session: define({
    pool: "batch",
    lockKey: "client",
    args: { client: "text", user_agent: "text | null" },
    returns: session,
    errors: ["RATE_LIMIT_EXCEEDED"],
  }),
  refresh_session: define({
    pool: "batch",
    lockKey: "session_id",
    args: {
      session_id: "uuid",
      refresh_token_id: "uuid",
      client: "text",
      user_agent: "text | null",
    },
    returns: session,
    errors: ["SESSION_NOT_FOUND", "SESSION_REVOKED"],
  }),
  log_out: define({
    pool: "fast",
    lockKey: "session_id",
    args: { session_id: "uuid" },
    returns: nothing,
    errors: ["SESSION_NOT_FOUND", "SESSION_REVOKED"],
  }),
  describe_caller: define({
    pool: "pipeline",
    args: { session_id: "uuid" },
    returns: caller,
    errors: ["SESSION_NOT_FOUND", "SESSION_REVOKED"],
  }),
  list_sessions: define({
    // It locks no row, but a user's lists are read one at a time: one caller cannot occupy the pool.
    pool: "fast",
    lockKey: "user_id",
    args: { session_id: "uuid", user_id: "uuid" },
    returns: sessionList,
    errors: ["SESSION_NOT_FOUND", "SESSION_REVOKED"],
  }),
  revoke_other_sessions: define({
    pool: "fast",
    lockKey: "user_id",
    args: { session_id: "uuid", user_id: "uuid" },
    returns: revocation,
    errors: ["SESSION_NOT_FOUND", "SESSION_REVOKED"],
  }),
  revoke_session: define({
    pool: "fast",
    lockKey: "target_session_id",
    args: { session_id: "uuid", user_id: "uuid", target_session_id: "uuid" },
    returns: nothing,
    errors: ["SESSION_NOT_FOUND", "SESSION_REVOKED"],
    reasons: ["not_own_session"],
  }),
  send_otp: define({
    pool: "otp_batch",
    lockKey: "identifier",
    args: {
      identifier: "text",
      identifier_type: "text",
      purpose: "text",
      client: "text",
      code_key: "bytea",
      country: "text | null",
      languages: "text[]",
      autofill_origin: "text | null",
      autofill_app_hash: "text | null",
    },
    returns: otp,
    errors: ["INVALID_REQUEST", "RATE_LIMIT_EXCEEDED"],
    reasons: ["not_enabled"],
  }),
  settle_otp_send: define({
    pool: "otp_batch",
    lockKey: "otp_id",
    args: { otp_id: "uuid", deadline_reached: "boolean" },
    returns: otp,
    errors: ["OTP_SEND_FAILED"],
  }),
  record_receipt: define({
    pool: "fast",
    lockKey: "reference",
    args: {
      provider: "text",
      reference: "uuid | null",
      vendor_message_id: "text | null",
      status: "text | null",
      error_code: "text | null",
      price: "numeric | null",
      currency: "text | null",
    },
    returns: nothing,
  }),
  register: define({
    pool: "password",
    lockKey: "phone",
    args: {
      phone: "text",
      email: "text | null",
      password_prehash: "text",
      password_length: "integer",
      password_is_common: "boolean",
      client: "text",
    },
    returns: account,
    errors: ["INVALID_REQUEST", "RATE_LIMIT_EXCEEDED"],
  }),
  verify_registration: define({
    pool: "otp_batch",
    lockKey: "phone",
    args: {
      phone: "text",
      otp: "text",
      code_key: "bytea",
      client: "text",
      user_id: "uuid | null",
      ...signInArguments,
    },
    returns: session,
    errors: ["INVALID_REQUEST", ...otpErrors, ...guestErrors],
    reasons: ["already_registered"],
  }),
  log_in: define({
    pool: "password",
    lockKey: "phone",
    args: {
      phone: "text",
      password_prehash: "text",
      client: "text",
      ...signInArguments,
      foreign_prehash: "text | null",
    },
    returns: session,
    errors: ["INVALID_REQUEST", "RATE_LIMIT_EXCEEDED", ...guestErrors],
    reasons: ["login_refused"],
  }),
  delete_account: define({
    pool: "password",
    lockKey: "user_id",
    args: {
      session_id: "uuid",
      user_id: "uuid",
      password_prehash: "text | null",
      otp: "text | null",
      code_key: "bytea",
      client: "text",
      foreign_prehash: "text | null",
    },
    returns: deletion,
    errors: ["INVALID_REQUEST", "SESSION_NOT_FOUND", "SESSION_REVOKED", ...otpErrors],
    reasons: ["login_refused"],
  }),
  export_account: define({
    pool: "fast",
    lockKey: "user_id",
    args: { session_id: "uuid", user_id: "uuid" },
    returns: accountExport,
    errors: ["SESSION_NOT_FOUND", "SESSION_REVOKED", "RATE_LIMIT_EXCEEDED"],
  }),
  log_in_by_otp: define({
    pool: "otp_batch",
    lockKey: "phone",
    args: { phone: "text", otp: "text", code_key: "bytea", client: "text", ...signInArguments },
    returns: session,
    errors: ["INVALID_REQUEST", ...otpErrors, ...guestErrors],
    reasons: ["not_enabled"],
  }),
  change_password: define({
    pool: "password",
    lockKey: "user_id",
    args: {
      session_id: "uuid",
      user_id: "uuid",
      current_password_prehash: "text | null",
      password_prehash: "text",
      password_length: "integer",
      password_is_common: "boolean",
      client: "text",
      foreign_prehash: "text | null",
    },
    returns: nothing,
    errors: ["SESSION_NOT_FOUND", "SESSION_REVOKED", "INVALID_REQUEST", "RATE_LIMIT_EXCEEDED"],
    reasons: ["login_refused", "recent_sign_in_required"],
  }),
  request_phone_change: define({
    pool: "password",
    lockKey: "user_id",
    args: {
      session_id: "uuid",
      user_id: "uuid",
      new_phone: "text",
      password_prehash: "text",
      client: "text",
      code_key: "bytea",
      country: "text",
      languages: "text[]",
      foreign_prehash: "text | null",
    },
    returns: otp,
    errors: ["SESSION_NOT_FOUND", "SESSION_REVOKED", "INVALID_REQUEST", "RATE_LIMIT_EXCEEDED"],
    reasons: ["login_refused"],
  }),
  change_phone: define({
    pool: "fast",
    lockKey: "new_phone",
    args: {
      session_id: "uuid",
      user_id: "uuid",
      new_phone: "text",
      otp: "text",
      code_key: "bytea",
      client: "text",
      languages: "text[]",
    },
    returns: nothing,
    errors: ["SESSION_NOT_FOUND", "SESSION_REVOKED", "INVALID_REQUEST", ...otpErrors],
    reasons: ["already_registered"],
  }),
  request_password_reset: define({
    pool: "otp_batch",
    lockKey: "phone",
    args: { phone: "text", client: "text", code_key: "bytea", country: "text", languages: "text[]" },
    returns: nothing,
  }),
  reset_password: define({
    pool: "password",
    lockKey: "phone",
    args: {
      phone: "text",
      otp: "text",
      code_key: "bytea",
      password_prehash: "text",
      password_length: "integer",
      password_is_common: "boolean",
      client: "text",
    },
    returns: nothing,
    errors: ["INVALID_REQUEST", ...otpErrors],
  }),
};

/** The functions that the checks at start call by plain SQL (db/startup_checks.ts), with their arguments. */
export const startupFunctions = {
  installed_migration: {},
  missing_rights: {},
  check_pepper: { fingerprint: "bytea" },
  migrated_for_production: {},
} satisfies Record<string, Record<string, SqlType>>;
