import type pg from "pg";

/**
 * Seeded rows are numbered, so that a benchmark can address any row without a look-up: accounts from 1, and five
 * sessions and five one-time passwords, each with one attempt and one decision, per account. Session n belongs to
 * account (n - 1) % accounts + 1.
 */
export const perAccount = 5;
/**
 * The first two of the five are expired, so the clean-up deletes them; so are those of the other tables with a shorter
 * age.
 */
export const oldPerAccount = 2;

const uuid = (kind: string, number: number) => `00000000-0000-7000-${kind}-${String(number).padStart(12, "0")}`;
export const sessionId = (number: number) => uuid("9000", number);
/** The account of a session. */
export const userIdOf = (session: number, accounts: number) => uuid("8000", ((session - 1) % accounts) + 1);
export const refreshTokenId = (number: number) => uuid("a000", number);
export const otpId = (number: number) => uuid("b000", number);
/** The attempt to deliver the one-time password of this number. */
export const attemptId = (number: number) => uuid("c000", number);
export const phoneOf = (account: number) => `+1212${1_000_000 + account}`;
export const clientOf = (account: number) => `10.${account >> 16}.${(account >> 8) & 255}.${account & 255}`;

/** Number of one of the account's sessions or one-time passwords that is not expired; `turn` is 0, 1 or 2. */
export const numberOf = (account: number, turn: number, accounts: number) =>
  (oldPerAccount + turn) * accounts + account;
export const livePerAccount = perAccount - oldPerAccount;

const uuidSql = (kind: string, number: string) =>
  `('00000000-0000-7000-${kind}-' || lpad((${number})::text, 12, '0'))::uuid`;
const phoneSql = (account: string) => `'+1212' || 1000000 + (${account})`;

const clientSql = (account: string) =>
  `'10.' || (${account} >> 16) || '.' || ((${account} >> 8) & 255) || '.' || (${account} & 255)`;
/** When a row of account n was written: for the first ones long enough ago that the clean-up deletes it. */
const ageSql = (accounts: number) =>
  `now() - case when n <= ${accounts} * ${oldPerAccount / perAccount} then interval '31 days' else interval '1 day' end`;

/** Includes the tables that calls insert into, so that a reseeded database is always the same. */
export const tables = [
  '"user".account',
  '"user".session',
  "private.known_client",
  "private.earlier_phone",
  "private.phone_recovery",
  "platform.otp_transaction",
  "platform.delivery_attempt",
  "platform.send_decision",
  "private.send_count",
  "platform.rate_limit",
  "private.pending_registration",
  "private.guess_count",
  "private.verification_state",
  "private.worker_heartbeat",
  "graphile_worker._private_jobs",
];

/**
 * session_replication_role skips foreign keys and triggers, with which five million rows take an hour. Check
 * constraints apply.
 */
const seedSql = (accounts: number) => `
  set session_replication_role = replica;
  truncate ${tables.join(", ")} cascade;

  insert into "user".account (id, phone, email, password_hash, phone_verified_at, created_at, updated_at)
  select ${uuidSql("8000", "n")}, ${phoneSql("n")}, n || '@example.org', h.hash, h.at, h.at, h.at
  from (select crypto.crypt('prehash', crypto.gen_salt('bf', 4)), now() - interval '60 days') h (hash, at),
    generate_series(1, ${accounts}) n;

  insert into "user".session
    (id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at, created_at)
  select ${uuidSql("9000", "n")}, ${uuidSql("8000", `(n - 1) % ${accounts} + 1`)}, 'user', 'user',
    gen_random_uuid(), at + interval '1 hour', ${uuidSql("a000", "n")}, at + interval '30 days', at
  from (${agedSql(accounts)}) s;

  insert into platform.otp_transaction
    (id, identifier, identifier_type, purpose, code_hash, awaited, delivery, created_at, expires_at, current_since)
  select ${uuidSql("b000", "n")}, ${phoneSql(`(n - 1) % ${accounts} + 1`)}, 'PHONE', 'LOGIN', sha256(n::text::bytea), true, 'sent',
    at, at + interval '5 minutes', at
  from (${agedSql(accounts)}) o;

  insert into platform.delivery_attempt (id, otp_id, provider, channel, outcome, vendor_message_id, started_at, duration_ms)
  select ${uuidSql("c000", "n")}, ${uuidSql("b000", "n")}, 'http', 'sms', 'sent', n::text, at, n % 1000 from (${agedSql(accounts)}) d;

  insert into platform.send_decision (id, at, prefix, country, client, purpose, verdict, otp_id, known)
  select ${uuidSql("d000", "n")}, at, '+12121', 'US', '192.0.2.1', 'LOGIN', 'allowed', ${uuidSql("b000", "n")}, false
  from (${agedSql(accounts)}) d;

  insert into private.known_client (account_id, client, logged_in_at)
  select ${uuidSql("8000", "n")}, ${clientSql("n")}, ${ageSql(accounts)} from generate_series(1, ${accounts}) n;

  insert into private.earlier_phone (account_id, phone, held_until)
  select ${uuidSql("8000", "n")}, ${phoneSql(`n + ${accounts * 10}`)}, now() from generate_series(1, ${accounts}) n;

  insert into private.phone_recovery (account_id, phone, session_id, asked_at, due_at)
  select ${uuidSql("8000", "n")}, ${phoneSql(`n + ${accounts * 20}`)}, ${uuidSql("9000", "n")}, now(), now() + interval '3 days'
  from generate_series(1, ${accounts}) n;

  insert into platform.rate_limit (key, hits, totals)
  select k.key || ':' || case k.key when 'LOGINS_PER_PHONE' then ${uuidSql("8000", "n")}::text else ${phoneSql("n")} end,
    array[now() - case when n <= ${accounts} * ${oldPerAccount / perAccount} then interval '2 days' else interval '1 minute' end], '{0,1}'
  from (values ('LOGINS_PER_PHONE'), ('OTP_SEND_PER_IDENTIFIER')) k (key), generate_series(1, ${accounts}) n;

  insert into private.pending_registration (user_id, phone, password_hash, is_contested, registered_at)
  select ${uuidSql("e000", "n")}, ${phoneSql("n")} || '5', h.hash, false, ${ageSql(accounts)}
  from (select crypto.crypt('prehash', crypto.gen_salt('bf', 4))) h (hash), generate_series(1, ${accounts}) n;

  insert into private.guess_count (identifier_type, identifier, purpose, guesses, first_guess_at)
  select 'PHONE', ${phoneSql("n")} || '5', 'LOGIN', 1, ${ageSql(accounts)} from generate_series(1, ${accounts}) n;

  insert into private.verification_state (identifier_type, identifier, failures, failed_at)
  select 'PHONE', ${phoneSql("n")} || '5', 1, ${ageSql(accounts)} from generate_series(1, ${accounts}) n;

  insert into private.send_count (subject, period, starts_at, shard, sends, verified)
  select 'client:' || ${clientSql("n")}, 'day', date_trunc('day', ${ageSql(accounts)}, 'UTC'), 0, 1, 0
  from generate_series(1, ${accounts}) n;

  insert into private.worker_heartbeat (worker, at, can_send) values ('bench', now() + interval '1 day', true);
  set session_replication_role = origin;`;

/** Expired rows come first, as in a real table: the clean-up finds pages of which it deletes every row. */
function agedSql(accounts: number): string {
  const [all, old] = [accounts * perAccount, accounts * oldPerAccount];
  return `select n, now() - case when n <= ${old} then interval '40 days' else interval '20 days' * (1.05 - n / ${all}.0) end as at
    from generate_series(1, ${all}) n`;
}

/** Seeds the tables. The client is a superuser's. */
export async function seed(client: pg.Client, accounts: number): Promise<void> {
  await client.query(seedSql(accounts));
  await client.query(`vacuum analyze ${tables.join(", ")}`);
}

/**
 * Seeds in one transaction and creates the indexes at its end, which is three times faster. The client is a
 * superuser's.
 */
export async function seedMany(client: pg.Client, accounts: number): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid = any ($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables.filter((table) => !table.startsWith("graphile_worker"))],
  );
  await client.query("begin; set local maintenance_work_mem = '512MB'");
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await client.query(seedSql(accounts));
  for (const { definition } of rows) await client.query(definition);
  await client.query("commit");
  await client.query(`vacuum analyze ${tables.join(", ")}`);
  // Creating an index bypasses shared_buffers: without this, the first reads of each of its pages would be measured.
  await client.query(`create extension if not exists pg_prewarm`);
  await client.query(
    `select pg_prewarm(r) from unnest($1::regclass[]) t (id)
     cross join lateral (select t.id union all select i.indexrelid from pg_index i where i.indrelid = t.id) relation (r)`,
    [tables],
  );
  await client.query("checkpoint");
}
