import { hashSync } from "bcryptjs";
import { listenForMail } from "../testing/network/smtp_server.ts";
import { bearer, tokensOf } from "../testing/service/rest_client.ts";
import { importUsers } from "../testing/service/import_users.ts";
import { createAuthenticator, relyingParty } from "../testing/service/software_authenticator.ts";
import { median, round } from "./parts/figures.ts";
import { from } from "./parts/lean_client.ts";
import { providerAt, startMeasuredService } from "./parts/measured_service.ts";
import { rankTest } from "./parts/rank_test.ts";

/**
 * Do response times reveal which phones and emails have an account? Sends PAIRS (300) requests for ones with and without one in
 * pairs of random order; a Mann-Whitney test gives the probability of the difference by chance. It is a script and not
 * a test: one p in twenty is below 0.05 even without a difference.
 */
const mail = await listenForMail();
const service = await startMeasuredService(
  { TRUST_PROXY: "loopback", WEBAUTHN_RP_ID: relyingParty.rpId, WEBAUTHN_ORIGINS: relyingParty.origin },
  { SMTP_URL: `smtp://${mail.host}` },
);
let requests = 0;
/** Every request has its own client address: a client that calls often is delayed, which would hide the difference. */
const post = (path: string, body: object, accessToken?: string) =>
  service.client.post(path, body, {
    ...(accessToken !== undefined && bearer(accessToken)),
    ...from(++requests),
  });
/**
 * Every pair has its own two phones: a phone that was called often lately waits in the password queue, which would look
 * like a difference.
 */
const pairs = Math.min(Number(process.env.PAIRS ?? 300), 1000);

/** Sends a request for a phone with an account, and one without, in each of the pairs. */
async function compare(
  what: string,
  path: string,
  body: (known: boolean, index: number) => object | Promise<object>,
  accessTokens: string[] = [],
): Promise<void> {
  const durations: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  const statuses = new Set<number>();
  for (let pair = 0; pair < pairs; pair++) {
    // Random order: the worker still sends the previous request's SMS, which in a fixed order would always delay the
    // same kind.
    for (const known of Math.random() < 0.5 ? [true, false] : [false, true]) {
      const sent = await body(known, pair);
      const started = performance.now();
      const { status } = await post(path, sent, accessTokens[pair]);
      statuses.add(status);
      durations[known ? "known" : "unknown"].push(performance.now() - started);
    }
  }
  const [known, unknown] = [median(durations.known), median(durations.unknown)];
  const p = round(rankTest(durations.known, durations.unknown), 3);
  console.log(
    `${what.padEnd(38)} ${[...statuses].join(" ")}, known ${round(known)} ms, unknown ${round(unknown)} ms, ratio ${round(known / unknown, 3)}, p = ${p}`,
  );
}

try {
  const sql = service.query;
  await service.set({
    LOGIN_FAILURES_PER_PHONE_AND_IP: "off",
    LOGIN_FAILURES_PER_PHONE: "off",
    LOGIN_FAILURES_PER_IP: "off",
    OTP_FAILURES_IN_A_ROW: "off",
    LOGINS_PER_PHONE: "off",
    OTP_SEND_PER_IDENTIFIER: "1000/1",
    OTP_VERIFY_LIMIT: "1000/1",
    OTP_MAX_ATTEMPTS: 100,
    PASSWORD_HASH_COST: 6,
  });
  const password = "correct horse battery";
  const phone = (prefix: number, index: number) => `+1212555${prefix}${String(index).padStart(3, "0")}`;
  const indexes = [...Array(pairs).keys()];
  await post("/auth/register", { phone: phone(0, 0), password });
  await sql("select private.confirm_registration(r) from private.pending_registration r");
  const makeAccounts = (prefix: number, reason: string | null = null) =>
    sql(
      `insert into "user".account (id, phone, password_hash, phone_verified_at, disabled_at, disabled_reason)
       select private.new_id(), p, a.password_hash, now(), case when $2::text is not null then now() end, $2
       from "user".account a, unnest($1::text[]) p where a.phone = $3`,
      [indexes.map((index) => phone(prefix, index)), reason, phone(0, 0)],
    );
  await makeAccounts(1);
  const pick = (known: boolean, index: number) => phone(known ? 1 : 2, index);

  const wrongLogin = (known: boolean, index: number) => ({ phone: pick(known, index), password: "wrong" });
  await compare("login, wrong password", "/auth/login", wrongLogin);
  // Accounts that nobody can sign in to count as known here.
  await makeAccounts(3, "spam");
  const disabled = (known: boolean, index: number) => ({ phone: phone(known ? 3 : 4, index), password });
  await compare("login, disabled accounts", "/auth/login", disabled);
  // From here on half of the accounts are imported. By their time, half of the phones without an account look imported
  // too.
  await sql(`delete from "user".account where disabled_at is not null`);
  const password_hash = hashSync(password, 8);
  await importUsers(
    service,
    indexes.map((index) => ({ phone: phone(5, index), password_hash })),
  );
  await compare("login, half of the accounts imported", "/auth/login", (known, index) => ({
    phone: known ? phone(index % 2 ? 5 : 1, index) : phone(6, index),
    password: "wrong",
  }));
  await sql(`delete from "user".account where foreign_parameters is not null`);
  await compare("login, accounts at an older cost", "/auth/login", wrongLogin);
  // A new unknown phone each time: a second registration of a phone would find the first one.
  await makeAccounts(7);
  const registration = (known: boolean, index: number) => ({ phone: phone(known ? 7 : 8, index), password });
  await compare("register", "/auth/register", registration);
  const reset = (known: boolean, index: number) => ({ phone: pick(known, index) });
  await compare("reset-password", "/auth/reset-password", reset);
  const code = (known: boolean, index: number) => ({ phone: pick(known, index), otp: "000000" });
  const resetCode = (known: boolean, index: number) => ({ ...code(known, index), newPassword: password });
  await compare("reset-password/verify, wrong code", "/auth/reset-password/verify", resetCode);
  await sql(
    `insert into platform.otp_transaction
       (id, identifier, identifier_type, purpose, code_hash, awaited, delivery, current_since, expires_at)
     select gen_random_uuid(), a.phone, 'PHONE', 'SIGNUP', sha256('no code'), true, 'sent', now(), now() + interval '1 hour'
     from "user".account a`,
  );
  await compare("register/verify, a live code or none", "/auth/register/verify", code);
  await sql(
    "update platform.otp_transaction set purpose = 'LOGIN' where code_hash = sha256('no code') and purpose = 'SIGNUP'",
  );
  await compare("login/otp, a live code or none", "/auth/login/otp", code);
  await compare("otp/send, LOGIN", "/otp/send", (known, index) => ({
    input: { identifier: pick(known, index), identifierType: "PHONE", purpose: "LOGIN" },
  }));
  // Each pair's caller is another account; the new phone is that of an account, or free.
  const callers: string[] = [];
  for (const index of indexes)
    callers.push(tokensOf(await post("/auth/login", { phone: phone(1, index), password })).access_token);
  const newPhone = (known: boolean, index: number) => ({ newPhone: phone(known ? 7 : 9, index) });
  const change = (known: boolean, index: number) => ({ ...newPhone(known, index), password });
  await compare("phone, of an account or free", "/auth/phone", change, callers);
  const changeCode = (known: boolean, index: number) => ({ ...newPhone(known, index), otp: "000000" });
  await compare("phone/verify, wrong code", "/auth/phone/verify", changeCode, callers);

  // Emails of the accounts of prefix 1.
  await service.set({
    OTP_PROVIDER: { ...providerAt(service.gateway.url), smtp: { from: "codes@shop.example" } },
    EMAIL_DELIVERY: "on",
    EMAIL_SIGN_IN: "on",
  });
  const email = (known: boolean, index: number) => `p${index}@${known ? "known" : "other"}.example`;
  await sql(
    `update "user".account a set email = u.email, email_verified_at = now()
     from unnest($1::text[], $2::text[]) u(phone, email) where a.phone = u.phone`,
    [indexes.map((index) => phone(1, index)), indexes.map((index) => email(true, index))],
  );
  await compare("login by email, wrong password", "/auth/login", (known, index) => ({
    email: email(known, index),
    password: "wrong",
  }));
  await compare("reset-password by email", "/auth/reset-password", (known, index) => ({ email: email(known, index) }));
  const emailCode = (known: boolean, index: number) => ({ email: email(known, index), otp: "000000" });
  await compare("login/otp by email, wrong code", "/auth/login/otp", emailCode);
  await compare("otp/send by email, LOGIN", "/otp/send", (known, index) => ({
    input: { identifier: email(known, index), identifierType: "EMAIL", purpose: "LOGIN" },
  }));

  // A passkey of each account: the same key, with an id of its own.
  const header = bearer(callers[0] ?? "");
  const passkey = createAuthenticator();
  const begin = async (path: string, headers = from(++requests)) =>
    (await service.client.post(path, undefined, headers)).body.data as unknown as {
      challenge_id: string;
      options: { challenge: string };
    };
  const { challenge_id, options } = await begin("/auth/factors/passkey/options", header);
  const credential = passkey.create(options);
  const added = await service.client.post("/auth/factors/passkey", { challenge_id, credential }, header);
  if (added.status !== 201) throw new Error(`no passkey: ${JSON.stringify(added.body)}`);
  const passkeyId = (known: boolean, index: number) => Buffer.from(`${known} ${index} of many`).toString("base64url");
  await sql(
    `insert into "user".factor
       (id, user_id, kind, confirmed_at, credential_id, public_key, sign_count, transports, is_backup_eligible, is_synced)
     select private.new_id(), a.id, f.kind, now(), decode(u.id, 'hex'), f.public_key, 0, f.transports, f.is_backup_eligible, f.is_synced
     from "user".factor f, unnest($1::text[], $2::text[]) u(phone, id) join "user".account a on a.phone = u.phone`,
    [
      indexes.map((index) => phone(1, index)),
      indexes.map((index) => Buffer.from(passkeyId(true, index), "base64url").toString("hex")),
    ],
  );
  // Signs well, with a key that is nobody's.
  const stranger = createAuthenticator();
  await compare("login/passkey, of an account or none", "/auth/login/passkey", async (known, index) => {
    const begun = await begin("/auth/login/passkey/options");
    const answer = stranger.get(begun.options, { id: passkeyId(known, index) });
    return { challenge_id: begun.challenge_id, credential: answer };
  });
  await compare("login/passkey/options, with a phone", "/auth/login/passkey/options", (known, index) => ({
    phone: pick(known, index),
  }));

  // Invited phones count as known, and have no account.
  await service.set({ REGISTRATION: "invited" });
  const guest = (known: boolean, index: number) => `+1212556${known ? 0 : 1}${String(index).padStart(3, "0")}`;
  await sql(`select "user".invite(p, null, null, false) from unnest($1::text[]) p`, [
    indexes.map((index) => guest(true, index)),
  ]);
  const invited = (known: boolean, index: number) => ({ phone: guest(known, index), password });
  await compare("register, invited or not", "/auth/register", invited);
  const loginSend = (identifier: string) => ({ input: { identifier, identifierType: "PHONE", purpose: "LOGIN" } });
  // A withheld SMS takes as long as one of the latest 50, which are those of an idle machine from here on.
  for (let sent = 0; sent < 50; sent++) await post("/otp/send", loginSend(pick(true, sent % pairs)));
  await compare("otp/send, LOGIN, invited or not", "/otp/send", (known, index) => loginSend(guest(known, index)));
  const guestCode = (known: boolean, index: number) => ({ phone: guest(known, index), otp: "000000" });
  await compare("login/otp, invited or not", "/auth/login/otp", guestCode);
} finally {
  await service.stop();
  await mail.stop();
}
