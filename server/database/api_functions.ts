import { functions as f } from "./api_catalog.ts";
import { define } from "./api_definition.ts";

const retry = "after rollback";
/** Sign-in takes one of the two. */
const phoneOrEmail = ["phone", "email"] as const;
const signIn = ["user_agent", "label", "guest_session_id"] as const;

/**
 * Every function of schema api that the server calls, with what the catalog does not say: the connections that run it,
 * what its calls contend for, whether one that was rolled back is retried, and which arguments may be null.
 */
// prettier-ignore
export const api = {
  check_health:           define(f.check_health,           { pool: "health" }),
  check_readiness:        define(f.check_readiness,        { pool: "health" }),
  measure:                define(f.measure,                { pool: "health" }),
  authorize:              define(f.authorize,              { pool: "pipeline" }),
  describe_caller:        define(f.describe_caller,        { pool: "pipeline" }),
  list_sign_in_ways:      define(f.list_sign_in_ways,      { pool: "pipeline", nullable: ["rp_id"] }),

  create_guest_session:   define(f.create_guest_session,   { pool: "batch",     lockKey: "client",            retry, nullable: ["user_agent"] }),
  refresh_session:        define(f.refresh_session,        { pool: "batch",     lockKey: "session_id",        retry, nullable: ["user_agent"] }),
  send_otp:               define(f.send_otp,               { pool: "otp_batch", lockKey: "identifier",        retry, nullable: ["country"] }),
  settle_otp_send:        define(f.settle_otp_send,        { pool: "otp_batch", lockKey: "otp_id",            retry }),
  verify_registration:    define(f.verify_registration,    { pool: "otp_batch", lockKey: "phone",             retry, nullable: ["user_id", ...signIn] }),
  log_in_by_otp:          define(f.log_in_by_otp,          { pool: "otp_batch", lockKey: phoneOrEmail,        retry, nullable: ["phone", "email", ...signIn] }),
  request_password_reset: define(f.request_password_reset, { pool: "otp_batch", lockKey: phoneOrEmail,        retry, nullable: ["phone", "country", "number_type"] }),

  log_out:                define(f.log_out,                { pool: "fast",      lockKey: "session_id",        retry }),
  // It locks no row, but a user's lists are read one at a time: one caller cannot occupy the pool.
  list_sessions:          define(f.list_sessions,          { pool: "fast",      lockKey: "user_id",           retry }),
  revoke_other_sessions:  define(f.revoke_other_sessions,  { pool: "fast",      lockKey: "user_id",           retry }),
  revoke_session:         define(f.revoke_session,         { pool: "fast",      lockKey: "target_session_id", retry }),
  export_account:         define(f.export_account,         { pool: "fast",      lockKey: "user_id",           retry }),
  change_phone:           define(f.change_phone,           { pool: "fast",      lockKey: "new_phone",         retry }),
  stop_phone_change:      define(f.stop_phone_change,      { pool: "fast",      lockKey: "user_id",           retry }),
  change_email:           define(f.change_email,           { pool: "fast",      lockKey: "new_email",         retry }),
  record_receipt:         define(f.record_receipt,         { pool: "fast",      lockKey: "reference",         retry, nullable: ["reference", "vendor_message_id", "status", "error_code", "price", "currency"] }),

  list_factors:           define(f.list_factors,           { pool: "fast",      lockKey: "user_id",           retry }),
  add_totp_factor:        define(f.add_totp_factor,        { pool: "fast",      lockKey: "user_id",           retry, nullable: ["label"] }),
  confirm_totp_factor:    define(f.confirm_totp_factor,    { pool: "fast",      lockKey: "user_id",           retry }),
  log_in_by_factor:       define(f.log_in_by_factor,       { pool: "fast",      lockKey: "challenge_id",      retry, nullable: ["code", "recovery_code", "user_agent"] }),
  begin_passkey_enrolment: define(f.begin_passkey_enrolment, { pool: "fast",    lockKey: "user_id",           retry, nullable: ["rp_id"] }),
  add_passkey:            define(f.add_passkey,            { pool: "fast",      lockKey: "user_id",           retry, nullable: ["label", "transports", "rp_id"] }),
  begin_factor_passkey:   define(f.begin_factor_passkey,   { pool: "fast",      lockKey: "challenge_id",      retry, nullable: ["rp_id"] }),
  begin_passkey_step_up:  define(f.begin_passkey_step_up,  { pool: "fast",      lockKey: "user_id",           retry, nullable: ["rp_id"] }),
  begin_passkey_login:    define(f.begin_passkey_login,    { pool: "batch",     lockKey: "client",            retry, nullable: ["rp_id"] }),
  log_in_by_passkey:      define(f.log_in_by_passkey,      { pool: "fast",      lockKey: "challenge_id",      retry, nullable: ["user_handle", "rp_id", ...signIn] }),
  remove_factor:          define(f.remove_factor,          { pool: "fast",      lockKey: "user_id",           retry }),
  make_recovery_codes:    define(f.make_recovery_codes,    { pool: "fast",      lockKey: "user_id",           retry }),

  register:               define(f.register,               { pool: "password",  lockKey: "phone",             retry: "never", nullable: ["email"] }),
  log_in:                 define(f.log_in,                 { pool: "password",  lockKey: phoneOrEmail,        retry: "never", nullable: ["phone", ...signIn] }),
  step_up:                define(f.step_up,                { pool: "password",  lockKey: "user_id",           retry: "never", nullable: ["password_prehash", "otp", "code", "user_agent"] }),
  delete_account:         define(f.delete_account,         { pool: "password",  lockKey: "user_id",           retry: "never", nullable: ["password_prehash", "otp"] }),
  change_password:        define(f.change_password,        { pool: "password",  lockKey: "user_id",           retry: "never", nullable: ["current_password_prehash"] }),
  request_phone_change:   define(f.request_phone_change,   { pool: "password",  lockKey: "user_id",           retry: "never", nullable: ["password_prehash"] }),
  request_email_change:   define(f.request_email_change,   { pool: "password",  lockKey: "user_id",           retry: "never", nullable: ["password_prehash"] }),
  remove_email:           define(f.remove_email,           { pool: "password",  lockKey: "user_id",           retry: "never", nullable: ["password_prehash"] }),
  reset_password:         define(f.reset_password,         { pool: "password",  lockKey: phoneOrEmail,        retry: "never", nullable: ["phone"] }),
};
