/**
 * Every function of schema api: its arguments with their SQL types, the pool it runs in, and what it answers.
 * row: the argument that names the row which the function locks; calls about one row run one at a time (keyed_queue.ts).
 * A test compares this table with the database's catalog.
 */
export const apiFunctions = {
  check_health: { pool: "health", row: undefined, args: {} },
  check_readiness: { pool: "health", row: undefined, args: { migration: "text" } },
  installed_migration: { pool: "fast", row: undefined, args: {} },
  missing_rights: { pool: "fast", row: undefined, args: {} },
  check_pepper: { pool: "fast", row: undefined, args: { fingerprint: "bytea" } },
  create_guest_session: { pool: "grouped", row: "client", args: { client: "text" } },
  refresh_session: {
    pool: "grouped",
    row: "session_id",
    args: { session_id: "uuid", refresh_token_id: "uuid" },
  },
  authorize: { pool: "shared", row: undefined, args: { session_id: "uuid" } },
  log_out: { pool: "fast", row: "session_id", args: { session_id: "uuid" } },
  send_otp: {
    pool: "fast",
    row: "identifier",
    args: { identifier: "text", identifier_type: "text", purpose: "text", client: "text", code_key: "bytea" },
  },
  settle_otp_send: { pool: "fast", row: "otp_id", args: { otp_id: "uuid", deadline_reached: "boolean" } },
  request_password_reset: { pool: "fast", row: "phone", args: { phone: "text", client: "text" } },
  verify_registration: {
    pool: "fast",
    row: "phone",
    args: { phone: "text", otp: "text", code_key: "bytea", client: "text", user_id: "uuid" },
  },
  register: {
    pool: "password",
    row: "phone",
    args: {
      phone: "text",
      email: "text",
      password_prehash: "text",
      password_length: "integer",
      password_is_common: "boolean",
      client: "text",
    },
  },
  log_in: {
    pool: "password",
    row: "phone",
    args: { phone: "text", password_prehash: "text", client: "text" },
  },
  reset_password: {
    pool: "password",
    row: "phone",
    args: {
      phone: "text",
      otp: "text",
      code_key: "bytea",
      password_prehash: "text",
      password_length: "integer",
      password_is_common: "boolean",
      client: "text",
    },
  },
} as const satisfies Record<
  string,
  { pool: PoolName; row: string | undefined; args: Record<string, string> }
>;

/**
 * Shared and health are for stable functions, which wait for no row: see server/database/pipeline.ts. Grouped is for short
 * writes that come often: see server/database/batch.ts.
 */
export type PoolName = "fast" | "password" | "shared" | "grouped" | "health";
export type ApiFunction = keyof typeof apiFunctions;

/** The composite that an api function returns, as JSON: times in ISO 8601. error is null when the call succeeded. */
export interface Answer {
  error: { code: string; details: Record<string, unknown> | null } | null;
}

export interface ReadinessAnswer extends Answer {
  failed: string[];
}

export interface SessionAnswer extends Answer {
  session_id: string;
  user_id: string | null;
  user_type: string;
  role: string;
  access_token_id: string;
  access_token_expires_at: string;
  refresh_token_id: string;
  refresh_token_expires_at: string;
}

export interface OtpAnswer extends Answer {
  otp_id: string;
  expires_at: string;
  wait_seconds: number | null;
}

export interface AccountAnswer extends Answer {
  user_id: string;
}
