import { hashSync } from "bcryptjs";
import { bearer, tokensOf } from "../testing/service/rest_client.ts";
import { importUsers } from "../testing/service/import_users.ts";
import { median, round } from "./parts/figures.ts";
import { from } from "./parts/lean_client.ts";
import { startMeasuredService } from "./parts/measured_service.ts";

/**
 * Do response times reveal which phones have an account? Sends PAIRS (300) requests for phones with and without one in
 * pairs of random order; a Mann-Whitney test gives the probability of the difference by chance. It is a script and not
 * a test: one p in twenty is below 0.05 even without a difference.
 */
const service = await startMeasuredService({ TRUST_PROXY: "loopback" });
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

/** Two-sided p of the Mann-Whitney U test, by its normal approximation, which is good from 20 samples on. */
function rankTest(a: number[], b: number[]): number {
  const all = [...a.map((value) => ({ value, own: 1 })), ...b.map((value) => ({ value, own: 0 }))];
  all.sort((left, right) => left.value - right.value);
  const rankSum = all.reduce((sum, { own }, index) => sum + own * (index + 1), 0);
  const mean = (a.length * (a.length + b.length + 1)) / 2;
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  return 2 * (1 - normal(Math.abs(rankSum - mean) / deviation));
}

/** The standard normal distribution function (Abramowitz and Stegun 7.1.26). */
function normal(z: number): number {
  const t = 1 / (1 + 0.3275911 * (z / Math.SQRT2));
  const tail = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429];
  const polynomial = tail.reduceRight((sum, factor) => (sum + factor) * t, 0);
  return 1 - (polynomial * Math.exp(-(z * z) / 2)) / 2;
}

/** Sends a request for a phone with an account, and one without, in each of the pairs. */
async function compare(
  what: string,
  path: string,
  body: (known: boolean, index: number) => object,
  accessTokens: string[] = [],
): Promise<void> {
  const durations: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  for (let pair = 0; pair < pairs; pair++) {
    // Random order: the worker still sends the previous request's SMS, which in a fixed order would always delay the
    // same kind.
    for (const known of Math.random() < 0.5 ? [true, false] : [false, true]) {
      const started = performance.now();
      await post(path, body(known, pair), accessTokens[pair]);
      durations[known ? "known" : "unknown"].push(performance.now() - started);
    }
  }
  const [known, unknown] = [median(durations.known), median(durations.unknown)];
  const p = round(rankTest(durations.known, durations.unknown), 3);
  console.log(
    `${what.padEnd(38)} known ${round(known)} ms, unknown ${round(unknown)} ms, ratio ${round(known / unknown, 3)}, p = ${p}`,
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
} finally {
  await service.stop();
}
