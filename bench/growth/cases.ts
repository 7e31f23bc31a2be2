import { migrationNames } from "../../db/sql_files.ts";
import { apiFunctions, type Answer, type ApiFunction } from "../../server/database/api_functions.ts";
import type { GrowthDatabase } from "./cluster.ts";
import { clientOf, otpId, phoneOf, refreshTokenId, sessionId } from "./rows.ts";

export interface Case {
  /** The arguments of so many calls, each of which will succeed. What they need is inserted as superuser. */
  calls: (database: GrowthDatabase, count: number) => Promise<Arguments[]>;
  succeeds: (answer: unknown) => boolean;
  /** Called by the checks at start, which take its result as it is and not as JSON. */
  atStart: boolean;
  /** So many calls at once find rows of their own in the database that is empty. */
  atMost: number;
}
type Arguments = Record<string, unknown>;

const code = "123456";
const password = { password_prehash: "prehash", password_length: 20, password_is_common: false };
const hasNoError = (answer: unknown) => (answer as Partial<Answer>).error === null;

function simple(call: (database: GrowthDatabase) => Arguments, more: Partial<Case> = {}): Case {
  const calls: Case["calls"] = (database, count) =>
    Promise.resolve(Array.from({ length: count }, () => call(database)));
  return { calls, succeeds: hasNoError, atMost: 1_000, atStart: false, ...more };
}

/** A case about phones that have just got a code. */
function withCodes(purpose: string, phone: (database: GrowthDatabase) => string, more: Arguments): Case {
  return {
    async calls(database, count) {
      const phones = Array.from({ length: count }, () => phone(database));
      if (purpose === "SIGNUP")
        await database.superuser.query(
          `insert into private.pending_registration (user_id, phone, password_hash, is_contested, registered_at)
           select private.new_id(), p, crypto.crypt('prehash', crypto.gen_salt('bf', 4)), false, now() from unnest($1::text[]) p`,
          [phones],
        );
      await database.superuser.query(
        `insert into platform.otp_transaction
           (id, identifier, identifier_type, purpose, code_hash, awaited, delivery, current_since, expires_at)
         select o.id, o.phone, 'PHONE', $2, private.hash_code(o.id, $3, $4), true, 'sent', now(), now() + interval '1 hour'
         from (select private.new_id(), p from unnest($1::text[]) p offset 0) o (id, phone)`,
        [phones, purpose, code, database.codeKey],
      );
      const common = { otp: code, code_key: database.codeKey, ...more };
      return phones.map((own) => ({ phone: own, client: database.picker.client(), ...common }));
    },
    succeeds: hasNoError,
    atMost: 300,
    atStart: false,
  };
}

/** A session's calls and a phone's, of rows picked over the whole table. */
export const cases: Record<ApiFunction, Case> = {
  check_health: simple(() => ({})),
  check_readiness: simple(() => ({ migration: migrationNames().at(-1) }), {
    succeeds: (answer) => hasNoError(answer) && (answer as { failed: string[] }).failed.length === 0,
  }),
  installed_migration: simple(() => ({}), {
    atStart: true,
    succeeds: (answer) => answer === migrationNames().at(-1),
  }),
  missing_rights: simple(() => ({}), {
    atStart: true,
    succeeds: (answer) => Array.isArray(answer) && answer.length === 0,
  }),
  check_pepper: simple(({ pepperFingerprint }) => ({ fingerprint: pepperFingerprint }), {
    atStart: true,
    succeeds: (answer) => answer === true,
  }),
  create_guest_session: simple(({ picker }) => ({ client: picker.client() })),
  refresh_session: simple(({ picker }) => {
    const session = picker.session();
    return { session_id: sessionId(session), refresh_token_id: refreshTokenId(session) };
  }),
  authorize: simple(({ picker }) => ({ session_id: sessionId(picker.session()) })),
  log_out: simple(({ picker }) => ({ session_id: sessionId(picker.session()) })),
  send_otp: simple(
    ({ picker, codeKey }) => ({
      ...{ identifier: phoneOf(picker.account()), identifier_type: "PHONE", purpose: "LOGIN" },
      ...{ client: picker.client(), code_key: codeKey },
    }),
    { atMost: 300 },
  ),
  settle_otp_send: simple(({ picker }) => ({ otp_id: otpId(picker.otp()), deadline_reached: false })),
  // Answers nothing in any case; with a phone and a client of its own no call is over a limit.
  request_password_reset: simple(
    ({ picker }) => ({ phone: phoneOf(picker.account()), client: picker.client() }),
    { atMost: 300 },
  ),
  // Phones that nobody has registered, among those that somebody has.
  verify_registration: withCodes("SIGNUP", ({ picker }) => `${phoneOf(picker.account())}9`, {
    user_id: null,
  }),
  register: simple(
    ({ picker }) => ({
      ...{ phone: `${phoneOf(picker.account())}7`, email: null, client: picker.client() },
      ...password,
    }),
    { atMost: 300 },
  ),
  log_in: simple(
    ({ picker }) => {
      const account = picker.account();
      return { phone: phoneOf(account), client: clientOf(account), ...password };
    },
    { atMost: 300 },
  ),
  reset_password: withCodes("PASSWORD_RESET", ({ picker }) => phoneOf(picker.account()), password),
};

/** A function without a case would be one that nobody measures. */
export function refuseMissingCases(): void {
  const missing = Object.keys(apiFunctions).filter((name) => !(name in cases));
  if (missing.length > 0) throw new Error(`bench/growth/cases.ts has no case for ${missing.join(", ")}`);
}
