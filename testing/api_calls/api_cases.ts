import type pg from "pg";
import { migrationNames } from "../../db/sql_files.ts";
import type { api } from "../../server/database/api_functions.ts";
import type { Picker } from "./picker.ts";
import { attemptId, clientOf, otpId, phoneOf, refreshTokenId, sessionId, userIdOf } from "./seeded_rows.ts";

/** What a case needs to know about a seeded database. */
export interface SeededDatabase {
  accounts: number;
  superuser: pg.Client;
  picker: Picker;
  /** Key for the hashes of codes that a case inserts and api functions verify. */
  codeKey: Buffer;
}

export interface Case {
  /** Creates the arguments of `count` calls that will succeed, and inserts the rows that they need as superuser. */
  calls: (database: SeededDatabase, count: number) => Promise<Arguments[]>;
  succeeds: (answer: unknown) => boolean;
  /** Maximum number of calls in a block: each needs a row of its own in the empty database. */
  atMost: number;
}
type Arguments = Record<string, unknown>;

const code = "123456";
const password = { password_prehash: "prehash", password_length: 20, password_is_common: false };
/** row_to_json turns a composite of nulls into null. */
const hasNoError = (answer: unknown) => answer === null || (answer as { error?: unknown }).error === null;

function simple(call: (database: SeededDatabase) => Arguments, more: Partial<Case> = {}): Case {
  const calls: Case["calls"] = (database, count) =>
    Promise.resolve(Array.from({ length: count }, () => call(database)));
  return { calls, succeeds: hasNoError, atMost: 1_000, ...more };
}

/** Inserts a valid code for each phone; with `accounts`, a code by which the account changes its phone, or its email, to that one. */
const insertCodes = ({ superuser, codeKey }: SeededDatabase, purpose: string, phones: string[], accounts?: string[]) =>
  superuser.query(
    `insert into platform.otp_transaction
       (id, identifier, identifier_type, purpose, code_hash, awaited, delivery, current_since, expires_at, account_id)
     select o.id, o.phone, case when o.phone like '%@%' then 'EMAIL' else 'PHONE' end, $2, private.hash_code(o.id, $3, $4), true, 'sent', now(), now() + interval '1 hour', o.account_id
     from (select private.new_id(), u.phone, u.account_id from unnest($1::text[], $5::uuid[]) u (phone, account_id) offset 0)
       o (id, phone, account_id)`,
    [phones, purpose, code, codeKey, accounts ?? []],
  );

/** Creates a case in which each phone has a valid code. */
function withCodes(
  purpose: string,
  phone: ((database: SeededDatabase) => string) | "a new account's",
  more: Arguments,
): Case {
  return {
    async calls(database, count) {
      const phones =
        phone === "a new account's"
          ? (await newAccounts(database, count)).map((account) => account.phone)
          : Array.from({ length: count }, () => phone(database));
      if (purpose === "SIGNUP")
        await database.superuser.query(
          `insert into private.pending_registration (user_id, phone, password_hash, is_contested, registered_at)
           select private.new_id(), p, crypto.crypt('prehash', crypto.gen_salt('bf', 4)), false, now() from unnest($1::text[]) p`,
          [phones],
        );
      await insertCodes(database, purpose, phones);
      const common = { otp: code, code_key: database.codeKey, ...more };
      return phones.map((own) => ({ phone: own, client: database.picker.client(), ...common }));
    },
    succeeds: hasNoError,
    atMost: 300,
  };
}

function userSession({ picker, accounts }: SeededDatabase): { session_id: string; user_id: string } {
  const session = picker.session();
  return { session_id: sessionId(session), user_id: userIdOf(session, accounts) };
}

interface NewAccount {
  phone: string;
  session_id: string;
  user_id: string;
}

/** New accounts with two sessions each: a call that revokes seeded sessions would leave other cases without theirs. */
async function newAccounts({ superuser, picker }: SeededDatabase, count: number): Promise<NewAccount[]> {
  const phones = Array.from({ length: count }, () => `${phoneOf(picker.account())}8`);
  const { rows } = await superuser.query<NewAccount>(
    `with account as (
       insert into "user".account (id, phone, phone_verified_at, password_hash)
       select private.new_id(), p, now(), crypto.crypt('prehash', crypto.gen_salt('bf', 4)) from unnest($1::text[]) p
       returning id, phone
     ), session as (
       insert into "user".session (user_id, amr, authenticated_at) select a.id, array['pwd'], now() from account a, generate_series(1, 2) returning id, user_id
     )
     select distinct on (a.id) a.phone, s.id as session_id, a.id as user_id from account a join session s on s.user_id = a.id`,
    [phones],
  );
  return rows;
}

/** Creates a case in which each call is a new account's. */
const ofNewAccounts = (call: (account: NewAccount, database: SeededDatabase) => Arguments): Case => ({
  calls: async (database, count) =>
    (await newAccounts(database, count)).map(({ session_id, user_id, ...rest }) => ({
      session_id,
      user_id,
      client: database.picker.client(),
      code_key: database.codeKey,
      ...call({ session_id, user_id, ...rest }, database),
    })),
  succeeds: hasNoError,
  atMost: 300,
});
const newPhoneOf = ({ phone }: NewAccount) => `${phone}6`;

/** Each account has a code for a new phone, or a new email. */
const withNew = (
  purpose: "PHONE_CHANGE" | "EMAIL_CHANGE",
  argument: "new_phone" | "new_email",
  identifierOf: (account: NewAccount) => string,
): Case => ({
  async calls(database, count) {
    const accounts = await newAccounts(database, count);
    const identifiers = accounts.map(identifierOf);
    const owners = accounts.map(({ user_id }) => user_id);
    await insertCodes(database, purpose, identifiers, owners);
    return accounts.map(({ session_id, user_id }, index) => ({
      session_id,
      user_id,
      [argument]: identifiers[index],
      otp: code,
      code_key: database.codeKey,
      client: database.picker.client(),
      languages: [],
    }));
  },
  succeeds: hasNoError,
  atMost: 300,
});
const newEmailOf = ({ phone }: NewAccount) => `${phone.slice(1)}@example.com`;

/** Its calls need EMAIL_DELIVERY. */
const byEmail = ({ calls, ...rest }: Case): Case => ({
  ...rest,
  async calls(database, count) {
    await database.superuser.query(`update settings.configuration set value = '"on"' where key = 'EMAIL_DELIVERY'`);
    return calls(database, count);
  },
});

const factorSecret = Buffer.from("12345678901234567890");

/** Creates a case in which each new account has an app, whose current code is known. */
const ofNewFactors = (isConfirmed: boolean, call: (factorId: string, code: string) => Arguments): Case => ({
  async calls(database, count) {
    const accounts = await newAccounts(database, count);
    const { rows } = await database.superuser.query<{ id: string; user_id: string; code: string }>(
      `insert into "user".factor (id, user_id, kind, sealed_secret, pepper_id, confirmed_at)
       select private.new_id(), u, 'totp', '\\x00', 'bench', case when $3 then now() end from unnest($1::uuid[]) u
       returning id, user_id, private.totp_code($2, floor(extract(epoch from now()) / 30)::bigint) as code`,
      [accounts.map(({ user_id }) => user_id), factorSecret, isConfirmed],
    );
    const sessions = new Map(accounts.map(({ user_id, session_id }) => [user_id, session_id]));
    if (isConfirmed)
      await database.superuser.query(`update "user".session set amr = array['pwd', 'otp', 'mfa'] where id = any ($1)`, [
        [...sessions.values()],
      ]);
    return rows.map(({ id, user_id, code: current }) => ({
      user_id,
      session_id: sessions.get(user_id),
      client: database.picker.client(),
      languages: [],
      code_key: database.codeKey,
      ...call(id, current),
    }));
  },
  succeeds: hasNoError,
  atMost: 300,
});

/** Each account with an app has done the first step of a sign-in. */
const withChallenges: Case = {
  async calls(database, count) {
    const enrolled = await ofNewFactors(true, (factor_id, current) => ({ factor_id, code: current })).calls(
      database,
      count,
    );
    const { rows } = await database.superuser.query<{ id: string; user_id: string }>(
      `insert into private.factor_challenge as c (id, purpose, user_id, session_epoch, sign_in, expires_at)
       select gen_random_uuid(), 'login', a.id, a.session_epoch,
         row(a.id, array['pwd'], '192.0.2.1', 'bench', null, null)::private.sign_in, now() + interval '1 hour'
       from "user".account a where a.id = any ($1) returning c.id, c.user_id`,
      [enrolled.map(({ user_id }) => user_id)],
    );
    const challenges = new Map(rows.map(({ user_id, id }) => [user_id, id]));
    return enrolled.map(({ user_id, factor_id, code: current, code_key }) => ({
      challenge_id: challenges.get(String(user_id)),
      code: current,
      recovery_code: null,
      code_key,
      client: database.picker.client(),
      user_agent: "bench",
      factor_ids: [factor_id],
      factor_secrets: [factorSecret],
    }));
  },
  succeeds: hasNoError,
  atMost: 300,
};

/** Flags of a passkey that verified its user and does not count. */
const authenticatorData = Buffer.concat([Buffer.alloc(32), Buffer.of(5), Buffer.alloc(4)]);

/** Creates a case in which a challenge of this purpose waits for a passkey of each new account. */
const ofNewPasskeys = (purpose: "enrol" | "login_passkey", call: (credentialId: Buffer) => Arguments): Case => ({
  async calls(database, count) {
    const accounts = await newAccounts(database, count);
    const isLogin = purpose === "login_passkey";
    const { rows } = await database.superuser.query<{ id: string }>(
      `insert into private.factor_challenge (id, purpose, user_id, session_id, webauthn_challenge, expires_at)
       select gen_random_uuid(), $1, u, s, '\\x00', now() + interval '5 minutes' from unnest($2::uuid[], $3::uuid[]) t (u, s) returning id`,
      [purpose, ...(["user_id", "session_id"] as const).map((name) => accounts.map((a) => (isLogin ? null : a[name])))],
    );
    if (isLogin)
      await database.superuser.query(
        `insert into "user".factor (id, user_id, kind, confirmed_at, credential_id, public_key, sign_count, is_backup_eligible)
         select private.new_id(), u, 'passkey', now(), uuid_send(u), '\\x00', 0, false from unnest($1::uuid[]) u`,
        [accounts.map(({ user_id }) => user_id)],
      );
    return accounts.map(({ user_id, session_id }, position) => {
      const handle = Buffer.from(user_id.replaceAll("-", ""), "hex");
      return {
        ...(isLogin ? { user_handle: handle } : { user_id, session_id, code_key: database.codeKey }),
        challenge_id: rows[position]?.id,
        label: null,
        rp_id: "localhost",
        authenticator_data: authenticatorData,
        is_signed: true,
        ...call(handle),
      };
    });
  },
  succeeds: hasNoError,
  atMost: 300,
});

/** GraphQL calls the last one, and the server the others. */
export type FunctionName = keyof typeof api | "count_admin_failure";

/** One case per api function, with rows picked from the whole table. A function without a case does not compile. */
export const cases: Record<FunctionName, Case> = {
  check_health: simple(() => ({})),
  check_readiness: simple(() => ({ migration: migrationNames().at(-1) }), {
    succeeds: (answer) => hasNoError(answer) && (answer as { failed: string[] }).failed.length === 0,
  }),
  measure: simple(() => ({})),
  count_admin_failure: simple(({ picker }) => ({ client: picker.client() })),
  create_guest_session: simple(({ picker }) => ({ client: picker.client(), user_agent: "bench" })),
  refresh_session: simple(({ picker }) => {
    const session = picker.session();
    return {
      session_id: sessionId(session),
      refresh_token_id: refreshTokenId(session),
      client: "192.0.2.1",
      user_agent: "bench",
    };
  }),
  authorize: simple(({ picker }) => ({ session_id: sessionId(picker.session()) })),
  describe_caller: simple(({ picker }) => ({ session_id: sessionId(picker.session()) })),
  list_sign_in_ways: simple(() => ({ rp_id: "localhost" })),
  list_sessions: simple(userSession),
  revoke_session: simple((database) => {
    const own = userSession(database);
    return { ...own, target_session_id: own.session_id };
  }),
  revoke_other_sessions: ofNewAccounts(() => ({})),
  log_out: simple(({ picker }) => ({ session_id: sessionId(picker.session()) })),
  send_otp: simple(
    ({ picker, codeKey }) => ({
      identifier: phoneOf(picker.account()),
      identifier_type: "PHONE",
      purpose: "LOGIN",
      client: picker.client(),
      code_key: codeKey,
      country: "US",
      number_type: "MOBILE",
      languages: [],
      autofill_origin: null,
      autofill_app_hash: null,
    }),
    { atMost: 300 },
  ),
  settle_otp_send: simple(({ picker }) => ({ otp_id: otpId(picker.otp()), deadline_reached: false })),
  // Always returns the same result. Each call has its own phone and client, so no rate limit refuses it.
  request_password_reset: simple(
    ({ picker, codeKey }) => ({
      phone: phoneOf(picker.account()),
      client: picker.client(),
      country: "US",
      number_type: "MOBILE",
      code_key: codeKey,
      languages: [],
    }),
    { atMost: 300 },
  ),
  // Unregistered phones whose numbers sort between registered ones.
  verify_registration: withCodes("SIGNUP", ({ picker }) => `${phoneOf(picker.account())}9`, {
    user_id: null,
    user_agent: "bench",
    label: null,
    guest_session_id: null,
  }),
  register: simple(
    ({ picker }) => ({
      phone: `${phoneOf(picker.account())}7`,
      email: null,
      client: picker.client(),
      ...password,
    }),
    { atMost: 300 },
  ),
  log_in: simple(
    ({ picker }) => {
      const account = picker.account();
      const request = { user_agent: "bench", label: null, guest_session_id: null };
      return { phone: phoneOf(account), client: clientOf(account), ...request, ...password };
    },
    { atMost: 300 },
  ),
  log_in_by_otp: withCodes("LOGIN", ({ picker }) => phoneOf(picker.account()), {
    user_agent: "bench",
    label: null,
    guest_session_id: null,
  }),
  reset_password: withCodes("PASSWORD_RESET", "a new account's", password),
  record_receipt: simple(({ picker }) => ({
    provider: "http",
    reference: attemptId(picker.otp()),
    status: "delivered",
  })),
  change_password: ofNewAccounts(() => ({ current_password_prehash: "prehash", ...password })),
  request_phone_change: ofNewAccounts((account) => ({
    new_phone: newPhoneOf(account),
    password_prehash: "prehash",
    country: "US",
    number_type: "MOBILE",
    languages: [],
  })),
  change_phone: withNew("PHONE_CHANGE", "new_phone", newPhoneOf),
  stop_phone_change: ofNewAccounts(() => ({})),
  request_email_change: byEmail(
    ofNewAccounts((account) => ({ new_email: newEmailOf(account), password_prehash: "prehash", languages: [] })),
  ),
  change_email: byEmail(withNew("EMAIL_CHANGE", "new_email", newEmailOf)),
  remove_email: byEmail(ofNewAccounts(() => ({ password_prehash: "prehash", languages: [] }))),
  export_account: ofNewAccounts(() => ({})),
  list_factors: ofNewAccounts(() => ({})),
  add_totp_factor: ofNewAccounts(() => ({ label: null, sealed_secret: factorSecret, pepper_id: "bench" })),
  confirm_totp_factor: ofNewFactors(false, (id, current) => ({
    factor_id: id,
    code: current,
    factor_ids: [id],
    factor_secrets: [factorSecret],
  })),
  log_in_by_factor: withChallenges,
  remove_factor: ofNewFactors(true, (factor_id) => ({ factor_id })),
  make_recovery_codes: ofNewFactors(true, () => ({})),
  begin_passkey_enrolment: ofNewAccounts(() => ({ rp_id: "localhost" })),
  add_passkey: ofNewPasskeys("enrol", (credential_id) => ({
    credential_id,
    public_key: Buffer.of(0),
    transports: null,
    client: "192.0.2.1",
    languages: [],
  })),
  begin_factor_passkey: {
    ...withChallenges,
    async calls(database, count) {
      const calls = await withChallenges.calls(database, count);
      await database.superuser.query(
        `insert into "user".factor (id, user_id, kind, confirmed_at, credential_id, public_key, sign_count)
         select private.new_id(), c.user_id, 'passkey', now(), uuid_send(c.id), '\\x00', 0 from private.factor_challenge c where c.id = any ($1)`,
        [calls.map(({ challenge_id }) => challenge_id)],
      );
      return calls.map(({ challenge_id }) => ({ challenge_id, rp_id: "localhost" }));
    },
  },
  begin_passkey_step_up: {
    ...ofNewAccounts(() => ({})),
    async calls(database, count) {
      const calls = await ofNewAccounts(() => ({ rp_id: "localhost" })).calls(database, count);
      await database.superuser.query(
        `insert into "user".factor (id, user_id, kind, confirmed_at, credential_id, public_key, sign_count)
         select private.new_id(), u, 'passkey', now(), uuid_send(u), '\\x00', 0 from unnest($1::uuid[]) u`,
        [calls.map(({ user_id }) => user_id)],
      );
      return calls;
    },
  },
  begin_passkey_login: simple(({ picker }) => ({ client: picker.client(), rp_id: "localhost" })),
  log_in_by_passkey: ofNewPasskeys("login_passkey", (credential_id) => ({
    credential_id,
    client: "192.0.2.1",
    user_agent: "bench",
    guest_session_id: null,
  })),
  step_up: ofNewAccounts((_account, { picker }) => ({
    password_prehash: "prehash",
    otp: null,
    code: null,
    client: picker.client(),
    user_agent: "bench",
  })),
  delete_account: ofNewAccounts(() => ({ password_prehash: "prehash" })),
};

/** Names of all functions of schema api. */
export const caseNames = Object.keys(cases) as FunctionName[];
