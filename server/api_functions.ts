/**
 * Every function of schema api: its arguments with their SQL types, the pool it runs in, and what it answers.
 * A test compares this table with the database's catalogue.
 */
export const apiFunctions = {
  check_health: { pool: "fast", args: {} },
  installed_migration: { pool: "fast", args: {} },
  check_pepper: { pool: "fast", args: { fingerprint: "bytea" } },
  create_guest_session: { pool: "grouped", args: { client: "text" } },
  refresh_session: { pool: "grouped", args: { session_id: "uuid", refresh_token_id: "uuid" } },
  authorize: { pool: "shared", args: { session_id: "uuid" } },
  log_out: { pool: "fast", args: { session_id: "uuid" } },
  send_otp: {
    pool: "fast",
    args: { identifier: "text", identifier_type: "text", purpose: "text", client: "text", code_key: "bytea" },
  },
  settle_otp_send: { pool: "fast", args: { otp_id: "uuid", deadline_reached: "boolean" } },
  request_password_reset: { pool: "fast", args: { phone: "text", client: "text" } },
  verify_registration: {
    pool: "fast",
    args: { phone: "text", otp: "text", code_key: "bytea", client: "text", user_id: "uuid" },
  },
  register: {
    pool: "password",
    args: {
      phone: "text",
      email: "text",
      password_prehash: "text",
      password_length: "integer",
      password_is_common: "boolean",
      client: "text",
    },
  },
  log_in: { pool: "password", args: { phone: "text", password_prehash: "text", client: "text" } },
  reset_password: {
    pool: "password",
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
} as const satisfies Record<string, { pool: PoolName; args: Record<string, string> }>;

/**
 * Shared is for stable functions, which wait for no row: see common/shared_connection.ts. Grouped is for short writes that
 * come often: see common/group_commit.ts.
 */
export type PoolName = "fast" | "password" | "shared" | "grouped";
export type ApiFunction = keyof typeof apiFunctions;

/** The composite that an api function returns, as JSON: by the attributes that its kind of answer has, times in ISO 8601. */
export interface Answer {
  error_code: string | null;
  error_details: Record<string, unknown> | null;
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
