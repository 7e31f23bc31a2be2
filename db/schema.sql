CREATE SCHEMA api;

ALTER SCHEMA api OWNER TO latchkey_owner;

COMMENT ON SCHEMA api IS 'One function per REST route: all that latchkey_server may do.';

CREATE SCHEMA delivery;

ALTER SCHEMA delivery OWNER TO latchkey_owner;

COMMENT ON SCHEMA delivery IS 'The entry points of the worker: all that latchkey_worker may do, apart from the queue.';

CREATE SCHEMA migration;

ALTER SCHEMA migration OWNER TO latchkey_owner;

CREATE SCHEMA platform;

ALTER SCHEMA platform OWNER TO latchkey_owner;

COMMENT ON SCHEMA platform IS 'One-time passwords and rate limits. Exposed by GraphQL under row-level security.';

CREATE SCHEMA private;

ALTER SCHEMA private OWNER TO latchkey_owner;

COMMENT ON SCHEMA private IS 'The rules as helper functions, and tables that only the owner reads.';

CREATE SCHEMA settings;

ALTER SCHEMA settings OWNER TO latchkey_owner;

COMMENT ON SCHEMA settings IS 'What an operator may change while the service runs. Exposed by GraphQL to the admin.';

CREATE SCHEMA "user";

ALTER SCHEMA "user" OWNER TO latchkey_owner;

COMMENT ON SCHEMA "user" IS 'Accounts and their sessions. Exposed by GraphQL under row-level security.';

CREATE TYPE api.error AS (
	code text,
	details jsonb
);

ALTER TYPE api.error OWNER TO latchkey_owner;

COMMENT ON TYPE api.error IS 'Why a call is refused: a code of the error catalog, and details for the client. Made by private.error only';

CREATE TYPE api.account_answer AS (
	error api.error,
	user_id uuid
);

ALTER TYPE api.account_answer OWNER TO latchkey_owner;

COMMENT ON TYPE api.account_answer IS 'A registration';

CREATE TYPE api.answer AS (
	error api.error
);

ALTER TYPE api.answer OWNER TO latchkey_owner;

COMMENT ON TYPE api.answer IS 'The answer of a call that returns nothing. As in every answer, error is null when the call succeeded';

CREATE TYPE api.otp_answer AS (
	error api.error,
	otp_id uuid,
	expires_at timestamp with time zone,
	wait_seconds integer
);

ALTER TYPE api.otp_answer OWNER TO latchkey_owner;

COMMENT ON TYPE api.otp_answer IS 'A one-time password; wait_seconds: how long to wait for its delivery, null: not at all';

CREATE TYPE api.readiness_answer AS (
	error api.error,
	failed text[]
);

ALTER TYPE api.readiness_answer OWNER TO latchkey_owner;

COMMENT ON TYPE api.readiness_answer IS 'The names of what is not ready, in alphabetical order; empty when everything is';

CREATE TYPE api.session_answer AS (
	error api.error,
	session_id uuid,
	user_id uuid,
	user_type text,
	role text,
	access_token_id uuid,
	access_token_expires_at timestamp with time zone,
	refresh_token_id uuid,
	refresh_token_expires_at timestamp with time zone
);

ALTER TYPE api.session_answer OWNER TO latchkey_owner;

COMMENT ON TYPE api.session_answer IS 'A session, with the ids (jti) and expiry of the tokens that the shell signs for it';

CREATE TYPE delivery.clean_up_progress AS (
	step integer,
	page bigint
);

ALTER TYPE delivery.clean_up_progress OWNER TO latchkey_owner;

COMMENT ON TYPE delivery.clean_up_progress IS 'How far a clean-up has come: the table, by its number in delivery.clean_up, and its first page that was not read yet. step is null when all tables are done';

CREATE TYPE delivery.message AS (
	otp_id uuid,
	provider text,
	options jsonb,
	recipient text,
	body text
);

ALTER TYPE delivery.message OWNER TO latchkey_owner;

COMMENT ON TYPE delivery.message IS 'An SMS to send now. The body holds the code: it exists here and at the vendor only';

CREATE TYPE delivery.provider AS (
	name text,
	options jsonb
);

ALTER TYPE delivery.provider OWNER TO latchkey_owner;

COMMENT ON TYPE delivery.provider IS 'The SMS provider that OTP_PROVIDER names, and its options; all null where none is set';

CREATE TYPE private.rate_limit_rule AS (
	policy text,
	key text,
	requests integer,
	period interval
);

ALTER TYPE private.rate_limit_rule OWNER TO latchkey_owner;

COMMENT ON TYPE private.rate_limit_rule IS 'At most so many requests of this key in any such period';

CREATE TYPE private.rate_limit_verdict AS (
	policy text,
	requests integer,
	period interval,
	wait interval,
	taken_at timestamp with time zone
);

ALTER TYPE private.rate_limit_verdict OWNER TO latchkey_owner;

COMMENT ON TYPE private.rate_limit_verdict IS 'Refused: policy and wait name the rule and how long it refuses. Allowed: wait is null, taken_at is the moment that was counted';

CREATE FUNCTION api.authorize(session_id uuid) RETURNS api.session_answer
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_session "user".session;
  v_answer api.session_answer;
begin
  select s.* into v_session from "user".session s where s.id = "authorize".session_id;
  v_answer.error := private.session_error(v_session);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  return private.session_answer(v_session);
end
$$;

ALTER FUNCTION api.authorize(session_id uuid) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.authorize(session_id uuid) IS 'GET and POST /api/v1/auth/webhook/authorize: the session behind a verified access token, if it is live.
session_id: claim sid. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.';

CREATE FUNCTION api.check_health() RETURNS api.answer
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select row(null)::api.answer
$$;

ALTER FUNCTION api.check_health() OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.check_health() IS 'GET /api/v1/health: answers, which is all it is asked. Errors: none.';

CREATE FUNCTION api.check_pepper(fingerprint bytea) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return private.check_pepper(check_pepper.fingerprint);
end
$$;

ALTER FUNCTION api.check_pepper(fingerprint bytea) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.check_pepper(fingerprint bytea) IS 'Whether the HASH_PEPPER of a server that starts is the one that this database''s passwords and codes were hashed with.
fingerprint: as private.check_pepper.';

CREATE FUNCTION api.check_readiness(migration text) RETURNS api.readiness_answer
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_workers integer;
  v_senders integer;
  v_answer api.readiness_answer;
begin
  select count(*)::integer, (count(*) filter (where h.can_send))::integer into v_workers, v_senders
  from private.worker_heartbeat h
  where h.at > now() - interval '30 seconds';

  v_answer.failed := array_remove(array[
    -- Without a worker nobody knows whether one could send.
    case when private.setting('OTP_PROVIDER') is null or (v_workers > 0 and v_senders = 0) then 'provider' end,
    case when not exists (select from migration.applied a where a.name = check_readiness.migration) then 'schema' end,
    case when v_workers = 0 then 'worker' end
  ], null);
  return v_answer;
end
$$;

ALTER FUNCTION api.check_readiness(migration text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.check_readiness(migration text) IS 'GET /ready: what keeps the service from its work. migration: the latest one that the server needs; a newer database is ready, so
that a rolling deployment migrates first. Result: failed holds provider (OTP_PROVIDER is not set, or no live worker can send by it),
schema (that migration is not applied) and worker (no heartbeat within 30 seconds). Errors: none.';

CREATE FUNCTION api.create_guest_session(client text) RETURNS api.session_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_answer api.session_answer;
begin
  if not private.is_loopback(create_guest_session.client) then
    v_answer.error := private.rate_limit_error(private.take_rate_limits(array[
      private.rate_limit_rule('GUEST_PER_IP', create_guest_session.client)
    ]));
  end if;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;
  return private.open_session(null);
end
$$;

ALTER FUNCTION api.create_guest_session(client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.create_guest_session(client text) IS 'POST /api/v1/auth/session/guest: opens a session without credentials.
client: address as limits count it; a loopback address is not counted. Errors: RATE_LIMIT_EXCEEDED (GUEST_PER_IP).';

CREATE FUNCTION api.installed_migration() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select private.installed_migration()
$$;

ALTER FUNCTION api.installed_migration() OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.installed_migration() IS 'The name of the latest migration applied, by which a server that starts tells that the database is of another version.';

CREATE FUNCTION api.log_in(phone text, password_prehash text, client text) RETURNS api.session_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_answer api.session_answer;
  v_account "user".account;
  v_rules private.rate_limit_rule[] := private.login_failure_rules(log_in.phone, log_in.client);
  v_known boolean := private.is_known_client(log_in.phone, log_in.client);
  v_verdict private.rate_limit_verdict := private.refuse_login(v_rules, log_in.client);
  v_right boolean;
  -- Looked up for every phone, also for one that has a password.
  v_decoy_hash text := private.decoy_hash(log_in.phone);
begin
  select a.* into v_account from "user".account a where a.phone = log_in.phone;

  -- Limits are looked at, bcrypt works, and only then limits are taken or looked at again: nothing is locked meanwhile,
  -- and what is limited is verdicts, so a burst of parallel guesses learns no more than the limit allows.
  if v_verdict.wait is null then
    v_right := private.compare_password(
      log_in.password_prehash, coalesce(v_account.password_hash, v_decoy_hash)
    );
    v_verdict := private.count_login(v_rules, log_in.phone, v_right, v_known);
  end if;
  v_answer.error := private.rate_limit_error(v_verdict);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  if v_right then
    v_right := private.admit_login(v_account, log_in.password_prehash);
  end if;
  if not v_right then
    v_answer.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'login_refused'));
    return v_answer;
  end if;
  perform private.remember_client(v_account.id, log_in.client);
  return private.open_session(v_account.id);
end
$$;

ALTER FUNCTION api.log_in(phone text, password_prehash text, client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.log_in(phone text, password_prehash text, client text) IS 'POST /api/v1/auth/login: opens a session for phone and password. Answers alike, after the same work, for an unknown phone,
a wrong password and an unverified phone. While a limit of failures is spent the right password is refused too, but for a client
that the account logged in from lately.
phone: E.164. password_prehash: the shell''s keyed pre-hash. client: address as limits count it.
Errors: INVALID_REQUEST (details.reason login_refused), RATE_LIMIT_EXCEEDED (LOGIN_FAILURES_…, LOGINS_PER_PHONE).';

CREATE FUNCTION api.log_out(session_id uuid) RETURNS api.answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_session "user".session;
  v_answer api.answer;
begin
  select s.* into v_session from "user".session s where s.id = log_out.session_id for no key update;
  v_answer.error := private.session_error(v_session);
  if v_answer.error is null then
    perform private.revoke_session(v_session.id);
  end if;
  return v_answer;
end
$$;

ALTER FUNCTION api.log_out(session_id uuid) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.log_out(session_id uuid) IS 'POST /api/v1/auth/logout: revokes the session of a verified access token, and no other.
session_id: claim sid. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.';

CREATE FUNCTION api.missing_rights() RETURNS text[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return private.missing_rights();
end
$$;

ALTER FUNCTION api.missing_rights() OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.missing_rights() IS 'What a server that starts is told of lost rights: as private.missing_rights.';

CREATE FUNCTION api.refresh_session(session_id uuid, refresh_token_id uuid) RETURNS api.session_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_session "user".session;
  v_answer api.session_answer;
begin
  select s.* into v_session from "user".session s where s.id = refresh_session.session_id for no key update;
  v_answer.error := private.session_error(v_session);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  if v_session.refresh_token_id = refresh_session.refresh_token_id then
    return private.rotate_session(v_session);
  end if;
  if v_session.previous_refresh_token_id = refresh_session.refresh_token_id
    and v_session.rotated_at + private.setting_seconds('REFRESH_REUSE_GRACE_SECONDS') > clock_timestamp() then
    return private.session_answer(v_session);
  end if;

  -- Theft. Returned, not raised: a raise would roll the revocation back.
  perform private.revoke_session(v_session.id);
  v_answer.error := private.error('SESSION_REVOKED');
  return v_answer;
end
$$;

ALTER FUNCTION api.refresh_session(session_id uuid, refresh_token_id uuid) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.refresh_session(session_id uuid, refresh_token_id uuid) IS 'POST /api/v1/auth/session/refresh: rotates a session''s tokens (RFC 9700 section 4.14.2).
The current refresh token replaces both token ids and starts both lifetimes anew. The one just replaced is answered, within
REFRESH_REUSE_GRACE_SECONDS, with the current ids and ends: lost answers and parallel tabs. Any other is theft and
revokes the session. session_id, refresh_token_id: claims sid and jti of a verified refresh token.
Errors: SESSION_NOT_FOUND, SESSION_REVOKED.';

CREATE FUNCTION api.register(phone text, email text, password_prehash text, password_length integer, password_is_common boolean, client text) RETURNS api.account_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_answer api.account_answer;
  v_rules private.rate_limit_rule[] := array[private.rate_limit_rule('REGISTER_PER_IP', register.client)];
  v_verdict private.rate_limit_verdict;
  v_password_hash text;
begin
  v_answer.error := private.password_error('password', register.password_length, register.password_is_common);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  -- Looked at before the hash and taken after it: no lock is held while bcrypt works.
  v_verdict := private.look_at_rate_limits(v_rules);
  if v_verdict.wait is null then
    v_password_hash := private.hash_registration_password(register.phone, register.password_prehash);
    perform private.lock_verification_state('PHONE', register.phone);
    v_verdict := private.take_rate_limits(v_rules);
  end if;
  v_answer.error := private.rate_limit_error(v_verdict);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  v_answer.user_id := private.new_id();
  perform private.store_registration(v_answer.user_id, register.phone, register.email, v_password_hash);
  return v_answer;
end
$$;

ALTER FUNCTION api.register(phone text, email text, password_prehash text, password_length integer, password_is_common boolean, client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.register(phone text, email text, password_prehash text, password_length integer, password_is_common boolean, client text) IS 'POST /api/v1/auth/register: keeps a registration until its phone is verified. Answers alike, after the same work, for a phone that is registered
already, where it stores nothing. phone: E.164. email: lower-cased, or null. password_prehash: the shell''s keyed pre-hash.
password_length, password_is_common: as private.password_error. client: address as limits count it.
Errors: INVALID_REQUEST (details.field, details.reason), RATE_LIMIT_EXCEEDED (REGISTER_PER_IP).';

CREATE FUNCTION api.request_password_reset(phone text, client text) RETURNS api.answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_verdict private.rate_limit_verdict := private.take_rate_limits(array[
    private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', request_password_reset.phone),
    private.rate_limit_rule('OTP_SEND_PER_IP', request_password_reset.client)
  ]);
begin
  if v_verdict.wait is null then
    perform private.queue_otp(request_password_reset.phone, 'PASSWORD_RESET', false, v_verdict.taken_at);
  end if;
  return row(null)::api.answer;
end
$$;

ALTER FUNCTION api.request_password_reset(phone text, client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.request_password_reset(phone text, client text) IS 'POST /api/v1/auth/reset-password: sends a PASSWORD_RESET code if the phone has a verified account. No account is looked up
here: the same record and job are made for every phone, and the worker drops what must not be sent, so neither answer, time
nor queue tells who is registered. Over a limit nothing is sent and a live code stays. phone: E.164.
client: address as limits count it. Errors: none.';

CREATE FUNCTION api.reset_password(phone text, otp text, code_key bytea, password_prehash text, password_length integer, password_is_common boolean, client text) RETURNS api.answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_answer api.answer;
  v_otp api.otp_answer;
begin
  v_answer.error := private.password_error('newPassword', reset_password.password_length, reset_password.password_is_common);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  v_otp := private.check_otp(
    'PHONE', reset_password.phone, 'PASSWORD_RESET', reset_password.otp, reset_password.code_key, reset_password.client
  );
  v_answer.error := v_otp.error;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  if not private.replace_password(reset_password.phone, reset_password.password_prehash) then
    perform private.count_guess('PHONE', reset_password.phone, 'PASSWORD_RESET', reset_password.client);
    v_answer.error := private.error('INVALID_OTP');
    return v_answer;
  end if;
  perform private.consume_otp(v_otp.otp_id);
  return v_answer;
end
$$;

ALTER FUNCTION api.reset_password(phone text, otp text, code_key bytea, password_prehash text, password_length integer, password_is_common boolean, client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.reset_password(phone text, otp text, code_key bytea, password_prehash text, password_length integer, password_is_common boolean, client text) IS 'POST /api/v1/auth/reset-password/verify: sets a new password by a PASSWORD_RESET code and revokes every session of the account.
phone: E.164. otp: the code as typed. code_key: 32 bytes. password_prehash, password_length, password_is_common: of the new
password, as api.register. client: address as limits count it. Errors: INVALID_REQUEST (details.field newPassword),
those of private.check_otp; INVALID_OTP also for the right code where no verified account is.';

CREATE FUNCTION api.send_otp(identifier text, identifier_type text, purpose text, client text, code_key bytea) RETURNS api.otp_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_otp platform.otp_transaction;
  v_answer api.otp_answer;
  v_verdict private.rate_limit_verdict := private.take_rate_limits(array[
    private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', send_otp.identifier),
    private.rate_limit_rule('OTP_SEND_PER_IP', send_otp.client)
  ]);
begin
  v_answer.error := private.rate_limit_error(v_verdict);
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  if send_otp.identifier_type = 'EMAIL' then
    v_otp := private.store_email_otp(send_otp.identifier, send_otp.purpose, v_verdict.taken_at, send_otp.code_key);
  else
    v_otp := private.queue_otp(send_otp.identifier, send_otp.purpose, true, v_verdict.taken_at);
    v_answer.wait_seconds := private.setting_integer('OTP_SEND_TIMEOUT_SECONDS');
  end if;
  v_answer.otp_id := v_otp.id;
  v_answer.expires_at := v_otp.expires_at;
  return v_answer;
end
$$;

ALTER FUNCTION api.send_otp(identifier text, identifier_type text, purpose text, client text, code_key bytea) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.send_otp(identifier text, identifier_type text, purpose text, client text, code_key bytea) IS 'POST /api/v1/otp/send: makes a one-time password. For PHONE it queues the SMS; the caller then waits wait_seconds at most
for NOTIFY otp_delivery, which only wakes it, and calls api.settle_otp_send. For EMAIL it stores the code, which nobody sends.
identifier: E.164 or lower-cased email. identifier_type: PHONE or EMAIL. purpose: LOGIN, SIGNUP or PASSWORD_RESET.
client: address as limits count it. code_key: 32 bytes. Errors: RATE_LIMIT_EXCEEDED (OTP_SEND_PER_IDENTIFIER, OTP_SEND_PER_IP).';

CREATE FUNCTION api.settle_otp_send(otp_id uuid, deadline_reached boolean) RETURNS api.otp_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_otp platform.otp_transaction;
  v_answer api.otp_answer;
  v_seconds_left integer := 0;
begin
  select o.* into v_otp from platform.otp_transaction o where o.id = settle_otp_send.otp_id;
  -- 'sent' is final, and most sends are: locking those too would write a page of WAL for each.
  if v_otp.delivery <> 'sent' then
    select o.* into v_otp from platform.otp_transaction o where o.id = settle_otp_send.otp_id for update;
  end if;
  if v_otp.delivery in ('queued', 'sending') and not settle_otp_send.deadline_reached then
    v_seconds_left := private.setting_integer('OTP_SEND_TIMEOUT_SECONDS')
      - floor(extract(epoch from clock_timestamp() - v_otp.created_at))::integer;
  end if;
  if v_otp.delivery = 'sent' or v_seconds_left > 0 then
    v_answer.otp_id := v_otp.id;
    v_answer.expires_at := v_otp.expires_at;
    v_answer.wait_seconds := nullif(v_seconds_left, 0);
    return v_answer;
  end if;

  if v_otp.delivery = 'queued' then
    -- The vendor was never called, so nothing can have been sent.
    perform private.give_back_send(v_otp.id);
  end if;
  update platform.otp_transaction o set delivery = 'cancelled'
  where o.id = v_otp.id and o.delivery in ('queued', 'sending');
  v_answer.error := private.error('OTP_SEND_FAILED');
  return v_answer;
end
$$;

ALTER FUNCTION api.settle_otp_send(otp_id uuid, deadline_reached boolean) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.settle_otp_send(otp_id uuid, deadline_reached boolean) IS 'POST /api/v1/otp/send, after each NOTIFY otp_delivery and at the deadline: the recorded fate of the SMS decides. While the fate
is open, a notification changes nothing (every login role can send one) and wait_seconds says how long to go on waiting. At the
deadline, by the caller''s clock or by this one, the one-time password is cancelled, so that a late SMS is worthless.
otp_id: from api.send_otp. deadline_reached: the caller waits no longer. Errors: OTP_SEND_FAILED.';

CREATE FUNCTION api.verify_registration(phone text, otp text, code_key bytea, client text, user_id uuid) RETURNS api.session_answer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_answer api.session_answer;
  v_registration private.pending_registration;
  v_otp api.otp_answer := private.check_otp(
    'PHONE', verify_registration.phone, 'SIGNUP', verify_registration.otp, verify_registration.code_key, verify_registration.client
  );
begin
  v_answer.error := v_otp.error;
  if v_answer.error is distinct from null then
    return v_answer;
  end if;

  perform from "user".account a where a.phone = verify_registration.phone;
  if found then
    perform private.consume_otp(v_otp.otp_id);
    v_answer.error := private.error('INVALID_REQUEST', jsonb_build_object('reason', 'already_registered'));
    return v_answer;
  end if;

  v_registration := private.registration_to_confirm(verify_registration.phone, verify_registration.user_id);
  if v_registration.user_id is null then
    perform private.count_guess('PHONE', verify_registration.phone, 'SIGNUP', verify_registration.client);
    v_answer.error := private.error('INVALID_OTP');
    return v_answer;
  end if;

  perform private.consume_otp(v_otp.otp_id);
  perform private.confirm_registration(v_registration);
  perform private.remember_client(v_registration.user_id, verify_registration.client);
  return private.open_session(v_registration.user_id);
end
$$;

ALTER FUNCTION api.verify_registration(phone text, otp text, code_key bytea, client text, user_id uuid) OWNER TO latchkey_owner;

COMMENT ON FUNCTION api.verify_registration(phone text, otp text, code_key bytea, client text, user_id uuid) IS 'POST /api/v1/auth/register/verify: confirms a phone by its SIGNUP code, makes the account and opens a session.
phone: E.164. otp: the code as typed. code_key: 32 bytes. client: address as limits count it. user_id: the registration to confirm,
as api.register answered it; null: the latest, whose password counts only if all that wait have the same one.
Errors: those of private.check_otp; INVALID_OTP also for the right code where no such registration waits;
INVALID_REQUEST (details.reason already_registered), which only the phone''s holder can reach.';

CREATE FUNCTION delivery.check_pepper(fingerprint bytea) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return private.check_pepper(check_pepper.fingerprint);
end
$$;

ALTER FUNCTION delivery.check_pepper(fingerprint bytea) OWNER TO latchkey_owner;

COMMENT ON FUNCTION delivery.check_pepper(fingerprint bytea) IS 'Whether the HASH_PEPPER of a worker that starts is the one that this database''s passwords and codes were hashed with.
fingerprint: as private.check_pepper.';

CREATE FUNCTION delivery.clean_up(step integer, page bigint) RETURNS delivery.clean_up_progress
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  -- Few enough for a slice to hold its locks for milliseconds.
  c_pages constant integer := 128;
  v_first bigint := clean_up.page;
  v_end bigint := clean_up.page + c_pages;
  v_table regclass;
begin
  case clean_up.step
    when 1 then v_table := 'platform.rate_limit'; perform private.clean_up_rate_limits(v_first, v_end);
    when 2 then v_table := 'platform.otp_transaction'; perform private.clean_up_otp_transactions(v_first, v_end);
    when 3 then v_table := '"user".session'; perform private.clean_up_sessions(v_first, v_end);
    when 4 then v_table := 'private.pending_registration'; perform private.clean_up_pending_registrations(v_first, v_end);
    when 5 then v_table := 'private.known_client'; perform private.clean_up_known_clients(v_first, v_end);
    when 6 then v_table := 'private.guess_count'; perform private.clean_up_guess_counts(v_first, v_end);
    when 7 then v_table := 'private.verification_state'; perform private.clean_up_verification_states(v_first, v_end);
    else return row(null, null)::delivery.clean_up_progress;
  end case;

  if v_end * current_setting('block_size')::bigint < pg_relation_size(v_table) then
    return row(clean_up.step, v_end)::delivery.clean_up_progress;
  end if;
  return row(clean_up.step + 1, 0)::delivery.clean_up_progress;
end
$$;

ALTER FUNCTION delivery.clean_up(step integer, page bigint) OWNER TO latchkey_owner;

COMMENT ON FUNCTION delivery.clean_up(step integer, page bigint) IS 'Deletes what nobody needs any more, a slice of pages of one table at a call, so that no transaction is long and no row stays locked.
The worker calls it once an hour from step 1, page 0, with the progress that the call before returned, until step is null.
step: 1 to 7, a table. page: the first page to look at. Result: where to go on.';

CREATE FUNCTION delivery.heartbeat(worker text, can_send boolean) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  -- Skips locked rows: two workers that come back at the same time could wait for each other's row.
  delete from private.worker_heartbeat h
  where h.worker in (
    select old.worker from private.worker_heartbeat old
    where old.at < clock_timestamp() - interval '1 minute' and old.worker <> heartbeat.worker
    for update skip locked
  );

  insert into private.worker_heartbeat as h (worker, at, can_send)
  values (heartbeat.worker, clock_timestamp(), heartbeat.can_send)
  on conflict on constraint worker_heartbeat_pkey do update set at = excluded.at, can_send = excluded.can_send;
end
$$;

ALTER FUNCTION delivery.heartbeat(worker text, can_send boolean) OWNER TO latchkey_owner;

COMMENT ON FUNCTION delivery.heartbeat(worker text, can_send boolean) IS 'Shows that a worker runs: called every 10 seconds. Deletes the rows of workers that have been silent for a minute.
worker: its pool''s id. can_send: whether it can send SMS by the provider that OTP_PROVIDER names.';

CREATE FUNCTION delivery.installed_migration() RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select private.installed_migration()
$$;

ALTER FUNCTION delivery.installed_migration() OWNER TO latchkey_owner;

COMMENT ON FUNCTION delivery.installed_migration() IS 'The name of the latest migration applied, by which a worker that starts tells that the database is of another version.';

CREATE FUNCTION delivery.issue_otp_code(otp_id uuid, code_key bytea) RETURNS delivery.message
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_otp platform.otp_transaction;
  v_code text;
begin
  select o.* into v_otp from platform.otp_transaction o where o.id = issue_otp_code.otp_id for update;
  if not found or private.delivery_is_over(v_otp) then
    return null;
  end if;
  if not private.may_be_sent(v_otp) then
    perform private.settle_delivery(v_otp, 'dropped');
    return null;
  end if;

  v_code := private.make_code(private.setting_integer('OTP_LENGTH'));
  update platform.otp_transaction o
  set delivery = 'sending',
      code_hash = private.hash_code(o.id, v_code, issue_otp_code.code_key),
      -- Now, as where it is dropped: if it waited for the vendor, the time until it replaces the code before it would
      -- tell that the phone has an account.
      current_since = case when not o.awaited then coalesce(o.current_since, clock_timestamp()) end
  where o.id = v_otp.id;
  return private.write_message(v_otp, v_code);
end
$$;

ALTER FUNCTION delivery.issue_otp_code(otp_id uuid, code_key bytea) OWNER TO latchkey_owner;

COMMENT ON FUNCTION delivery.issue_otp_code(otp_id uuid, code_key bytea) IS 'Makes the code of a queued one-time password, stores its hash and returns the message to send: the only time the code exists
in the database. A code made anew for a retry keeps the attempts already spent. Null: there is nothing to send.
otp_id: from the job''s payload. code_key: 32 bytes; raises without it.';

CREATE FUNCTION delivery.missing_rights() RETURNS text[]
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return private.missing_rights();
end
$$;

ALTER FUNCTION delivery.missing_rights() OWNER TO latchkey_owner;

COMMENT ON FUNCTION delivery.missing_rights() IS 'What a worker that starts is told of lost rights: as private.missing_rights.';

CREATE FUNCTION delivery.provider_in_use() RETURNS delivery.provider
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_record jsonb := private.setting('OTP_PROVIDER');
  v_provider text := v_record ->> 'providerToUse';
begin
  if v_provider is null then
    return null;
  end if;
  return row(v_provider, coalesce(v_record -> v_provider, '{}'))::delivery.provider;
end
$$;

ALTER FUNCTION delivery.provider_in_use() OWNER TO latchkey_owner;

COMMENT ON FUNCTION delivery.provider_in_use() IS 'The SMS provider that OTP_PROVIDER names and its options, by which a worker tells whether it can send; null: none is set.';

CREATE FUNCTION delivery.record_delivery(otp_id uuid, outcome text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_otp platform.otp_transaction;
begin
  if record_delivery.outcome not in ('sent', 'refused', 'unreachable', 'uncertain') then
    raise exception 'an outcome is sent, refused, unreachable or uncertain' using errcode = 'invalid_parameter_value';
  end if;
  select o.* into v_otp from platform.otp_transaction o where o.id = record_delivery.otp_id for update;
  perform private.settle_delivery(v_otp, record_delivery.outcome);
  return not v_otp.awaited and record_delivery.outcome in ('unreachable', 'uncertain') and private.may_be_sent(v_otp);
end
$$;

ALTER FUNCTION delivery.record_delivery(otp_id uuid, outcome text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION delivery.record_delivery(otp_id uuid, outcome text) IS 'Records what a vendor answered. otp_id: from the job''s payload. outcome: sent; refused (the vendor said no);
unreachable (no connection was made); uncertain (no clear answer); raises for any other. Result: whether to try again later, which is never so while
a request waits: it is told of the failure at once.';

CREATE FUNCTION delivery.unlock_dead_workers() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_dead text[];
begin
  -- A live worker holds the advisory lock of its pool's id; what can be locked here belongs to nobody any more.
  select array_agg(holder.locked_by) into v_dead
  from (
    select distinct j.locked_by from graphile_worker._private_jobs j
    where j.locked_at < clock_timestamp() - interval '3 seconds'
  ) holder
  where pg_try_advisory_xact_lock(hashtextextended('latchkey worker ' || holder.locked_by, 0));

  if v_dead is null then
    return 0;
  end if;
  perform graphile_worker.force_unlock_workers(v_dead);
  return cardinality(v_dead);
end
$$;

ALTER FUNCTION delivery.unlock_dead_workers() OWNER TO latchkey_owner;

COMMENT ON FUNCTION delivery.unlock_dead_workers() IS 'Frees the jobs of workers that died (kill -9), which the queue itself would keep locked for four hours. A worker is alive while
it holds pg_advisory_lock(hashtextextended(''latchkey worker '' || pool id, 0)). Result: how many workers were found dead.';

CREATE FUNCTION platform.keep_otp_transaction_spent() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  raise exception 'attempts and verifications only ever move forward'
    using errcode = 'check_violation', constraint = 'otp_transaction_stays_spent';
end
$$;

ALTER FUNCTION platform.keep_otp_transaction_spent() OWNER TO latchkey_owner;

COMMENT ON FUNCTION platform.keep_otp_transaction_spent() IS 'Trigger of platform.otp_transaction: what was guessed or used stays so, whoever updates it.';

CREATE TABLE "user".account (
    id uuid NOT NULL,
    phone text NOT NULL,
    email text,
    password_hash text,
    phone_verified_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT account_password_is_bcrypt CHECK ((password_hash ~ '^\$2a\$[0-3][0-9]\$.{53}$'::text)),
    CONSTRAINT account_phone_is_e164 CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text))
);

ALTER TABLE "user".account OWNER TO latchkey_owner;

COMMENT ON TABLE "user".account IS 'A person with a verified phone. Registrations that wait for verification are in private.pending_registration.';

COMMENT ON COLUMN "user".account.id IS 'The user''s id: claim sub of its tokens';

COMMENT ON COLUMN "user".account.phone IS 'E.164';

COMMENT ON COLUMN "user".account.email IS 'Lower-cased; neither unique nor verified, and not a login name; null: none was given';

COMMENT ON COLUMN "user".account.password_hash IS 'bcrypt of the keyed pre-hash that the shell sends; null: a contested registration was verified, and a reset sets the password';

COMMENT ON COLUMN "user".account.phone_verified_at IS 'When a code confirmed the phone';

COMMENT ON COLUMN "user".account.created_at IS 'When the account was made, which is when its phone was verified';

COMMENT ON COLUMN "user".account.updated_at IS 'When phone, email or password last changed';

CREATE FUNCTION private.admit_login(account "user".account, password_prehash text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_new_hash text := account.password_hash;
begin
  if private.password_cost(account.password_hash) <> private.setting_integer('PASSWORD_HASH_COST') then
    v_new_hash := private.hash_password(password_prehash);
  end if;

  perform from "user".account a
  where a.id = account.id and a.password_hash = account.password_hash
  for no key update;
  if not found then
    return false;
  end if;

  update "user".account a set password_hash = v_new_hash
  where a.id = account.id and a.password_hash <> v_new_hash;
  return true;
end
$$;

ALTER FUNCTION private.admit_login(account "user".account, password_prehash text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.admit_login(account "user".account, password_prehash text) IS 'Whether a login whose password was right may open a session: only while the hash compared is still the stored one.
Locks the account''s row, as a reset does, so a login with the old password never survives a reset beside it.
Re-hashes a password stored at another cost than PASSWORD_HASH_COST. account: the row as read before the comparison.';

CREATE TABLE private.verification_state (
    identifier_type text NOT NULL,
    identifier text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    failed_at timestamp with time zone,
    known_client_failures integer DEFAULT 0 NOT NULL,
    known_client_failed_at timestamp with time zone
)
WITH (fillfactor='70');

ALTER TABLE private.verification_state OWNER TO latchkey_owner;

COMMENT ON TABLE private.verification_state IS 'Wrong codes in a row for an identifier, over all codes, purposes and clients (OTP_FAILURES_IN_A_ROW; NIST SP 800-63B-4 section 3.2.2). Verifications and registrations of an identifier lock its row first, so they run one after another.';

COMMENT ON COLUMN private.verification_state.identifier_type IS 'PHONE or EMAIL';

COMMENT ON COLUMN private.verification_state.identifier IS 'E.164, or a lower-cased email address';

COMMENT ON COLUMN private.verification_state.failures IS 'Wrong codes by any client since the last right one';

COMMENT ON COLUMN private.verification_state.failed_at IS 'When the latest of failures was counted';

COMMENT ON COLUMN private.verification_state.known_client_failures IS 'Those by clients from which the account logged in lately: only these block such clients, so a stranger cannot';

COMMENT ON COLUMN private.verification_state.known_client_failed_at IS 'When the latest of known_client_failures was counted';

CREATE FUNCTION private.block_failures(answer api.otp_answer, state private.verification_state, by_known_client boolean) RETURNS api.otp_answer
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_blocked api.otp_answer;
begin
  if not private.failures_are_spent(state.failures, state.failed_at) then
    return answer;
  end if;
  if by_known_client
    and not private.failures_are_spent(state.known_client_failures, state.known_client_failed_at)
    and coalesce((answer.error).code, '') not in ('INVALID_OTP', 'RATE_LIMIT_EXCEEDED') then
    return answer;
  end if;
  v_blocked.error := private.error('MAX_ATTEMPTS_REACHED');
  return v_blocked;
end
$$;

ALTER FUNCTION private.block_failures(answer api.otp_answer, state private.verification_state, by_known_client boolean) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.block_failures(answer api.otp_answer, state private.verification_state, by_known_client boolean) IS 'The answer to a verification where too many wrong codes came in a row: MAX_ATTEMPTS_REACHED, but for the right code at a client that the
account logged in from lately. Everything is checked and counted before, alike for everybody, so neither words nor work tell which clients
those are. answer: of the check. state: as it was before the check. by_known_client: private.is_known_client.';

CREATE FUNCTION private.check_otp(identifier_type text, identifier text, purpose text, code text, code_key bytea, client text) RETURNS api.otp_answer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_answer api.otp_answer;
  v_rules private.rate_limit_rule[] := array[
    private.rate_limit_rule('OTP_VERIFY_LIMIT', check_otp.identifier || ' ' || check_otp.purpose || ' ' || check_otp.client),
    private.rate_limit_rule('OTP_VERIFY_PER_IP', check_otp.client)
  ];
  v_verdict private.rate_limit_verdict;
  v_spent boolean;
  v_state private.verification_state;
begin
  if check_otp.code !~ ('^[0-9]{' || private.setting_integer('OTP_LENGTH') || '}$') then
    v_answer.error := private.error('INVALID_OTP_FORMAT', jsonb_build_object('field', 'otp'));
    return v_answer;
  end if;

  -- Looked at before anything is locked: a refused request costs a read.
  v_verdict := private.look_at_rate_limits(v_rules);
  v_spent := private.guesses_are_spent(check_otp.identifier_type, check_otp.identifier, check_otp.purpose);
  if v_verdict.wait is null and not v_spent then
    -- Parallel guesses queue up here. The lock comes before the limits are taken, because spent guesses must count against no
    -- limit, and only behind the lock it is known whether they are.
    perform private.lock_verification_state(check_otp.identifier_type, check_otp.identifier);
    v_spent := private.guesses_are_spent(check_otp.identifier_type, check_otp.identifier, check_otp.purpose);
    if not v_spent then
      v_verdict := private.take_rate_limits(v_rules);
    end if;
  end if;

  select s.* into v_state from private.verification_state s
  where s.identifier_type = check_otp.identifier_type and s.identifier = check_otp.identifier;
  if v_spent then
    v_answer.error := private.error('MAX_ATTEMPTS_REACHED');
  elsif v_verdict.wait is not null then
    v_answer.error := private.rate_limit_error(v_verdict);
  else
    v_answer := private.compare_code(check_otp.identifier_type, check_otp.identifier, check_otp.purpose, check_otp.code, check_otp.code_key);
    if (v_answer.error).code = 'INVALID_OTP' then
      perform private.count_guess(check_otp.identifier_type, check_otp.identifier, check_otp.purpose, check_otp.client);
    end if;
  end if;
  return private.block_failures(v_answer, v_state, private.is_known_client(check_otp.identifier, check_otp.client));
end
$_$;

ALTER FUNCTION private.check_otp(identifier_type text, identifier text, purpose text, code text, code_key bytea, client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.check_otp(identifier_type text, identifier text, purpose text, code text, code_key bytea, client text) IS 'Checks a code against the current one-time password; a right one is left for the caller, who consumes it (private.consume_otp) or
counts a guess (private.count_guess). Whoever does not have the code learns nothing from the answers: not whether there is one, how
old it is, nor whether it was used. Failures are returned, so that what they count commits.
identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email. purpose: of the code. code: as typed. code_key: 32 bytes.
client: address as limits count it. Errors, in this order: INVALID_OTP_FORMAT, MAX_ATTEMPTS_REACHED, RATE_LIMIT_EXCEEDED,
OTP_ALREADY_USED and OTP_EXPIRED (the right code only), INVALID_OTP (one attempt gone).
Specification: Authentication 8, Limits; NIST SP 800-63B-4 sections 3.1.3 and 3.2.2.';

CREATE FUNCTION private.check_pepper(fingerprint bytea) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into private.installation (pepper_fingerprint) values (check_pepper.fingerprint)
  on conflict on constraint installation_pkey do nothing;
  return (select i.pepper_fingerprint = check_pepper.fingerprint from private.installation i);
end
$$;

ALTER FUNCTION private.check_pepper(fingerprint bytea) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.check_pepper(fingerprint bytea) IS 'Whether a fingerprint is that of this database''s HASH_PEPPER; the first one that comes is remembered.
fingerprint: 32 bytes derived from the pepper (HKDF), from which it cannot be computed.';

CREATE FUNCTION private.clean_up_guess_counts(first_page bigint, end_page bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_lifetime interval := private.setting_seconds('OTP_TTL_SECONDS');
begin
  delete from private.guess_count doomed
  where doomed.ctid = any (array(
    select t.ctid
    from private.guess_count t
    where t.ctid >= v_first and t.ctid < v_end
      and t.first_guess_at <= clock_timestamp() - v_lifetime
    for update skip locked
  ));
end
$$;

ALTER FUNCTION private.clean_up_guess_counts(first_page bigint, end_page bigint) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.clean_up_guess_counts(first_page bigint, end_page bigint) IS 'Deletes wrong codes that no longer count.
Of the pages from first_page to the one before end_page; what somebody holds is left for the next time.';

CREATE FUNCTION private.clean_up_known_clients(first_page bigint, end_page bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_lifetime interval := private.known_client_lifetime();
begin
  delete from private.known_client doomed
  where doomed.ctid = any (array(
    select t.ctid
    from private.known_client t
    where t.ctid >= v_first and t.ctid < v_end
      and t.logged_in_at <= clock_timestamp() - v_lifetime
    for update skip locked
  ));
end
$$;

ALTER FUNCTION private.clean_up_known_clients(first_page bigint, end_page bigint) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.clean_up_known_clients(first_page bigint, end_page bigint) IS 'Forgets clients that an account did not log in from for private.known_client_lifetime().
Of the pages from first_page to the one before end_page; what somebody holds is left for the next time.';

CREATE FUNCTION private.clean_up_otp_transactions(first_page bigint, end_page bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
begin
  delete from platform.otp_transaction doomed
  where doomed.ctid = any (array(
    select t.ctid
    from platform.otp_transaction t
    where t.ctid >= v_first and t.ctid < v_end
      and t.created_at < clock_timestamp() - interval '30 days'
    for update skip locked
  ));
end
$$;

ALTER FUNCTION private.clean_up_otp_transactions(first_page bigint, end_page bigint) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.clean_up_otp_transactions(first_page bigint, end_page bigint) IS 'Deletes one-time passwords 30 days after they were asked for.
Of the pages from first_page to the one before end_page; what somebody holds is left for the next time.';

CREATE FUNCTION private.clean_up_pending_registrations(first_page bigint, end_page bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
begin
  delete from private.pending_registration doomed
  where doomed.ctid = any (array(
    select t.ctid
    from private.pending_registration t
    where t.ctid >= v_first and t.ctid < v_end
      and t.registered_at < clock_timestamp() - interval '30 days'
    for update skip locked
  ));
end
$$;

ALTER FUNCTION private.clean_up_pending_registrations(first_page bigint, end_page bigint) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.clean_up_pending_registrations(first_page bigint, end_page bigint) IS 'Deletes registrations after 30 days. They can be confirmed for private.registration_lifetime(), and tell of a contest until they go.
Of the pages from first_page to the one before end_page; what somebody holds is left for the next time.';

CREATE FUNCTION private.clean_up_rate_limits(first_page bigint, end_page bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
  v_before timestamptz := clock_timestamp() - private.rate_limit_retention();
begin
  delete from platform.rate_limit doomed
  where doomed.ctid = any (array(
    select t.ctid
    from platform.rate_limit t
    where t.ctid >= v_first and t.ctid < v_end
      and coalesce(t.hits[cardinality(t.hits)] <= v_before, true)
    for update skip locked
  ));
end
$$;

ALTER FUNCTION private.clean_up_rate_limits(first_page bigint, end_page bigint) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.clean_up_rate_limits(first_page bigint, end_page bigint) IS 'Deletes spent rate limits: those not hit for the longest period of any limit in force.
Of the pages from first_page to the one before end_page; what somebody holds is left for the next time.';

CREATE FUNCTION private.clean_up_sessions(first_page bigint, end_page bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
begin
  delete from "user".session doomed
  where doomed.ctid = any (array(
    select t.ctid
    from "user".session t
    where t.ctid >= v_first and t.ctid < v_end
      and coalesce(t.revoked_at, t.refresh_token_expires_at) < clock_timestamp() - interval '7 days'
    for update skip locked
  ));
end
$$;

ALTER FUNCTION private.clean_up_sessions(first_page bigint, end_page bigint) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.clean_up_sessions(first_page bigint, end_page bigint) IS 'Deletes sessions 7 days after they were revoked or ended.
Of the pages from first_page to the one before end_page; what somebody holds is left for the next time.';

CREATE FUNCTION private.clean_up_verification_states(first_page bigint, end_page bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_first tid := format('(%s,0)', first_page)::tid;
  v_end tid := format('(%s,0)', end_page)::tid;
begin
  delete from private.verification_state doomed
  where doomed.ctid = any (array(
    select t.ctid
    from private.verification_state t
    where t.ctid >= v_first and t.ctid < v_end
      and coalesce(greatest(t.failed_at, t.known_client_failed_at), '-infinity') < clock_timestamp() - interval '30 days'
    for update skip locked
  ));
end
$$;

ALTER FUNCTION private.clean_up_verification_states(first_page bigint, end_page bigint) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.clean_up_verification_states(first_page bigint, end_page bigint) IS 'Forgets wrong codes in a row 30 days after the latest.
Of the pages from first_page to the one before end_page; what somebody holds is left for the next time.';

CREATE FUNCTION private.clear_login_limits(phone text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with doomed as (
    select l.key from platform.rate_limit l
    where l.key in ('LOGIN_FAILURES_PER_PHONE:' || clear_login_limits.phone, 'LOGINS_PER_PHONE:' || clear_login_limits.phone)
      -- A range, because before PostgreSQL 18 starts_with() with a parameter reads the whole table. '!' comes after the blank.
      or (
        l.key >= 'LOGIN_FAILURES_PER_PHONE_AND_IP:' || clear_login_limits.phone || ' '
        and l.key < 'LOGIN_FAILURES_PER_PHONE_AND_IP:' || clear_login_limits.phone || '!'
      )
    order by l.key
    for update
  )
  delete from platform.rate_limit l using doomed where l.key = doomed.key
$$;

ALTER FUNCTION private.clear_login_limits(phone text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.clear_login_limits(phone text) IS 'Forgets a phone''s logins and failed logins, by every client: its holder has just proved to be there. phone: E.164.';

CREATE FUNCTION private.compare_code(identifier_type text, identifier text, purpose text, code text, code_key bytea) RETURNS api.otp_answer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_answer api.otp_answer;
  v_otp platform.otp_transaction := private.current_otp(compare_code.identifier_type, compare_code.identifier, compare_code.purpose);
begin
  v_answer.error := private.error(case
    when v_otp.code_hash is distinct from private.hash_code(v_otp.id, compare_code.code, compare_code.code_key) then 'INVALID_OTP'
    when v_otp.code_hash is null then 'INVALID_OTP'
    when v_otp.verified_at is not null then 'OTP_ALREADY_USED'
    when v_otp.expires_at <= clock_timestamp() then 'OTP_EXPIRED'
  end);
  if v_answer.error is null then
    v_answer.otp_id := v_otp.id;
    v_answer.expires_at := v_otp.expires_at;
  end if;
  return v_answer;
end
$$;

ALTER FUNCTION private.compare_code(identifier_type text, identifier text, purpose text, code text, code_key bytea) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.compare_code(identifier_type text, identifier text, purpose text, code text, code_key bytea) IS 'Compares a code with the current one-time password. Used and expired are said of the right code only.
Counts nothing. The caller holds the identifier''s row of private.verification_state. identifier_type, identifier, purpose, code, code_key: as private.check_otp.
Errors: INVALID_OTP, OTP_ALREADY_USED, OTP_EXPIRED.';

CREATE FUNCTION private.compare_password(password_prehash text, password_hash text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_highest_cost integer;
  v_cost integer;
  v_right boolean;
begin
  select greatest(private.setting_integer('PASSWORD_HASH_COST'), max(substr(a.password_hash, 5, 2))::integer) into v_highest_cost
  from "user".account a
  where a.password_hash is not null;

  v_cost := coalesce(private.password_cost(compare_password.password_hash), v_highest_cost);
  v_right := crypto.crypt(password_prehash, coalesce(compare_password.password_hash, private.decoy_salt(v_cost)))
    = compare_password.password_hash;

  -- Work doubles with each cost: one round at every cost from the hash's own up adds up to the highest.
  for v_missing_cost in v_cost .. v_highest_cost - 1 loop
    perform crypto.crypt(password_prehash, private.decoy_salt(v_missing_cost));
  end loop;
  return coalesce(v_right, false);
end
$$;

ALTER FUNCTION private.compare_password(password_prehash text, password_hash text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.compare_password(password_prehash text, password_hash text) IS 'Whether a password is the stored one. Always does the bcrypt work of the highest cost in use, also for no hash at all,
so that time tells neither whether an account exists nor at which cost its password is stored. Holds no lock.
password_prehash: the shell''s keyed pre-hash. password_hash: the stored bcrypt, or null for no such account.';

CREATE TABLE private.pending_registration (
    user_id uuid NOT NULL,
    phone text NOT NULL,
    email text,
    password_hash text NOT NULL,
    is_contested boolean NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    CONSTRAINT pending_registration_password_is_bcrypt CHECK ((password_hash ~ '^\$2a\$[0-3][0-9]\$.{53}$'::text)),
    CONSTRAINT pending_registration_phone_is_e164 CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text))
);

ALTER TABLE private.pending_registration OWNER TO latchkey_owner;

COMMENT ON TABLE private.pending_registration IS 'Registrations of phones that are not verified: the latest five of a phone. For 24 hours verifying the phone turns one of them into the account; for 30 days they still show that another registration has another password.';

COMMENT ON COLUMN private.pending_registration.user_id IS 'The id of the account if this registration is confirmed; returned to the client that registered';

COMMENT ON COLUMN private.pending_registration.phone IS 'E.164';

COMMENT ON COLUMN private.pending_registration.email IS 'Lower-cased; null: none was given';

COMMENT ON COLUMN private.pending_registration.password_hash IS 'bcrypt of the keyed pre-hash, under a salt made from the phone: equal hashes are equal passwords';

COMMENT ON COLUMN private.pending_registration.is_contested IS 'Another registration of the phone had another password when this one was stored; stays true after that one is gone';

COMMENT ON COLUMN private.pending_registration.registered_at IS 'When it was made; it can be confirmed for 24 hours';

CREATE FUNCTION private.confirm_registration(registration private.pending_registration) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_now timestamptz := clock_timestamp();
begin
  insert into "user".account (id, phone, email, password_hash, phone_verified_at, created_at, updated_at)
  values (registration.user_id, registration.phone, registration.email, registration.password_hash, v_now, v_now, v_now);
  delete from private.pending_registration r where r.phone = registration.phone;
end
$$;

ALTER FUNCTION private.confirm_registration(registration private.pending_registration) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.confirm_registration(registration private.pending_registration) IS 'Turns a registration into an account and forgets the phone''s other registrations. registration: private.registration_to_confirm.';

CREATE FUNCTION private.consume_otp(otp_id uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  update platform.otp_transaction o set verified_at = clock_timestamp()
  where o.id = consume_otp.otp_id and o.verified_at is null;

  -- Guesses stay counted: if a right code cleared them, a guesser could tell that there was one.
  -- So does a block of strangers: if it ended early, one could tell that the account's own client verified meanwhile.
  update private.verification_state s
  set failures = case when private.failures_are_spent(s.failures, s.failed_at) then s.failures else 0 end,
      known_client_failures = 0
  from platform.otp_transaction o
  where o.id = consume_otp.otp_id and s.identifier_type = o.identifier_type and s.identifier = o.identifier;
end
$$;

ALTER FUNCTION private.consume_otp(otp_id uuid) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.consume_otp(otp_id uuid) IS 'Marks a one-time password as used: it verifies once. Ends the identifier''s failures in a row.
otp_id: the row that private.check_otp found right.';

CREATE FUNCTION private.count_failure(identifier_type text, identifier text, by_known_client boolean) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  -- Known clients count among all, or the hundredth failure would tell whether the client is one. The row is written in any case,
  -- and takes the same time.
  update private.verification_state s
  set failures = private.next_failure(s.failures, s.failed_at),
      failed_at = case when private.failures_are_spent(s.failures, s.failed_at) then s.failed_at else clock_timestamp() end,
      known_client_failures = case
        when count_failure.by_known_client then private.next_failure(s.known_client_failures, s.known_client_failed_at)
        else s.known_client_failures
      end,
      known_client_failed_at = case
        when count_failure.by_known_client and not private.failures_are_spent(s.known_client_failures, s.known_client_failed_at)
          then clock_timestamp()
        else s.known_client_failed_at
      end
  where s.identifier_type = count_failure.identifier_type and s.identifier = count_failure.identifier
$$;

ALTER FUNCTION private.count_failure(identifier_type text, identifier text, by_known_client boolean) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.count_failure(identifier_type text, identifier text, by_known_client boolean) IS 'Counts a wrong code among the failures in a row of an identifier. by_known_client: private.is_known_client, counted apart as well.
The caller holds the identifier''s row of private.verification_state.';

CREATE FUNCTION private.count_guess(identifier_type text, identifier text, purpose text, client text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_now timestamptz := clock_timestamp();
  v_otp platform.otp_transaction := private.current_otp(count_guess.identifier_type, count_guess.identifier, count_guess.purpose);
begin
  update private.guess_count g
  set guesses = g.guesses + 1
  where g.identifier_type = count_guess.identifier_type
    and g.identifier = count_guess.identifier
    and g.purpose = count_guess.purpose
    and (v_otp.current_since > g.first_guess_at) is not true
    and g.first_guess_at + private.setting_seconds('OTP_TTL_SECONDS') > v_now;
  if not found then
    insert into private.guess_count (identifier_type, identifier, purpose, guesses, first_guess_at)
    values (count_guess.identifier_type, count_guess.identifier, count_guess.purpose, 1, v_now)
    on conflict on constraint guess_count_pkey do update
    set guesses = excluded.guesses, first_guess_at = excluded.first_guess_at;
  end if;

  update platform.otp_transaction o set attempts = o.attempts + 1 where o.id = v_otp.id;
  perform private.count_failure(
    count_guess.identifier_type, count_guess.identifier, private.is_known_client(count_guess.identifier, count_guess.client)
  );
end
$$;

ALTER FUNCTION private.count_guess(identifier_type text, identifier text, purpose text, client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.count_guess(identifier_type text, identifier text, purpose text, client text) IS 'Counts a wrong code: against the current one-time password, or against there being none, and against the failures in a row.
The caller holds the identifier''s row of private.verification_state. identifier_type: PHONE or EMAIL. identifier: E.164 or
lower-cased email. purpose: of the code. client: address as limits count it.';

CREATE TABLE platform.rate_limit (
    key text NOT NULL COLLATE pg_catalog."C",
    hits timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    totals bigint[] DEFAULT '{0}'::bigint[] NOT NULL,
    CONSTRAINT rate_limit_totals_match_hits CHECK ((cardinality(totals) = (cardinality(hits) + 1)))
)
WITH (fillfactor='70');

ALTER TABLE platform.rate_limit OWNER TO latchkey_owner;

COMMENT ON TABLE platform.rate_limit IS 'Sliding windows: the requests that were allowed lately.';

COMMENT ON COLUMN platform.rate_limit.key IS 'The setting''s name, a colon and the subject that is counted';

COMMENT ON COLUMN platform.rate_limit.hits IS 'When requests were allowed, oldest first. A limit of more than 60 requests has one entry per sixtieth of its period: the latest request in it';

COMMENT ON COLUMN platform.rate_limit.totals IS 'Running totals: hits[n] stands for totals[n + 1] - totals[n] requests';

CREATE FUNCTION private.count_hit(rate_limit platform.rate_limit, rule private.rate_limit_rule, at timestamp with time zone) RETURNS platform.rate_limit
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_window platform.rate_limit := rate_limit;
  v_last integer := cardinality(rate_limit.hits);
  v_total bigint := rate_limit.totals[v_last + 1] + 1;
  v_first integer;
begin
  if private.rate_limit_slot(rule, v_window.hits[v_last]) = private.rate_limit_slot(rule, at) then
    v_window.hits[v_last] := at;
    v_window.totals[v_last + 1] := v_total;
    return v_window;
  end if;

  v_window.hits := v_window.hits || at;
  v_window.totals := v_window.totals || v_total;
  -- What has left the window, or is more than "requests" back, can refuse nothing any more.
  v_first := greatest(
    1, width_bucket(v_total - rule.requests, v_window.totals), width_bucket(at - rule.period, v_window.hits) + 1
  );
  v_window.hits := v_window.hits[v_first:];
  v_window.totals := v_window.totals[v_first:];
  return v_window;
end
$$;

ALTER FUNCTION private.count_hit(rate_limit platform.rate_limit, rule private.rate_limit_rule, at timestamp with time zone) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.count_hit(rate_limit platform.rate_limit, rule private.rate_limit_rule, at timestamp with time zone) IS 'A window with one more request in it, and without what it no longer needs. rate_limit: a row that the caller has locked.
at: the moment of the request, not before any that is counted.';

CREATE FUNCTION private.count_login(rules private.rate_limit_rule[], phone text, password_is_right boolean, by_known_client boolean) RETURNS private.rate_limit_verdict
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_verdict private.rate_limit_verdict;
begin
  if not password_is_right then
    return private.take_rate_limits(rules);
  end if;
  v_verdict := private.look_at_rate_limits(case when by_known_client then rules[1:1] else rules end);
  if v_verdict.wait is null then
    v_verdict := private.take_rate_limits(private.login_rules(count_login.phone));
  end if;
  return v_verdict;
end
$$;

ALTER FUNCTION private.count_login(rules private.rate_limit_rule[], phone text, password_is_right boolean, by_known_client boolean) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.count_login(rules private.rate_limit_rule[], phone text, password_is_right boolean, by_known_client boolean) IS 'The verdict on a login whose password was compared. A wrong one counts against every limit of failures, and is refused alike for
everybody where one is spent. A right one counts as a login; it is refused while a limit of failures is spent, by a known client while
that of its own is. rules: private.login_failure_rules. phone: E.164. by_known_client: private.is_known_client.';

CREATE TABLE platform.otp_transaction (
    id uuid NOT NULL,
    identifier text NOT NULL,
    identifier_type text NOT NULL,
    purpose text NOT NULL,
    code_hash bytea,
    attempts integer DEFAULT 0 NOT NULL,
    awaited boolean NOT NULL,
    counted_at timestamp with time zone,
    delivery text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    current_since timestamp with time zone,
    verified_at timestamp with time zone,
    CONSTRAINT otp_transaction_code_is_hashed CHECK ((length(code_hash) = 32)),
    CONSTRAINT otp_transaction_delivery_is_known CHECK ((delivery = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'refused'::text, 'unreachable'::text, 'uncertain'::text, 'dropped'::text, 'cancelled'::text, 'stored'::text]))),
    CONSTRAINT otp_transaction_identifier_type_is_known CHECK ((identifier_type = ANY (ARRAY['EMAIL'::text, 'PHONE'::text]))),
    CONSTRAINT otp_transaction_purpose_is_known CHECK ((purpose = ANY (ARRAY['LOGIN'::text, 'SIGNUP'::text, 'PASSWORD_RESET'::text])))
)
WITH (fillfactor='70');

ALTER TABLE platform.otp_transaction OWNER TO latchkey_owner;

COMMENT ON TABLE platform.otp_transaction IS 'A one-time password. The current one of an identifier and purpose is the one with the latest current_since.';

COMMENT ON COLUMN platform.otp_transaction.id IS 'otpId in the response to the request that made it';

COMMENT ON COLUMN platform.otp_transaction.identifier IS 'E.164, or a lower-cased email address';

COMMENT ON COLUMN platform.otp_transaction.identifier_type IS 'PHONE or EMAIL';

COMMENT ON COLUMN platform.otp_transaction.purpose IS 'LOGIN, SIGNUP or PASSWORD_RESET: a code verifies nothing else';

COMMENT ON COLUMN platform.otp_transaction.code_hash IS 'HMAC-SHA-256 of id and code under the code key; null: no code was made yet';

COMMENT ON COLUMN platform.otp_transaction.attempts IS 'Wrong guesses; at OTP_MAX_ATTEMPTS the code is blocked';

COMMENT ON COLUMN platform.otp_transaction.awaited IS 'A request waits for the delivery (POST /otp/send); otherwise the worker alone decides about it (POST /auth/reset-password)';

COMMENT ON COLUMN platform.otp_transaction.counted_at IS 'The moment at which OTP_SEND_PER_IDENTIFIER counts it; null once given back';

COMMENT ON COLUMN platform.otp_transaction.delivery IS 'queued → sending → sent | refused (by the vendor) | unreachable (no connection) | uncertain (no clear answer); dropped: must not be sent; cancelled: no request waits any more; stored: EMAIL, which is never sent';

COMMENT ON COLUMN platform.otp_transaction.created_at IS 'When it was requested';

COMMENT ON COLUMN platform.otp_transaction.expires_at IS 'From then on its code is refused';

COMMENT ON COLUMN platform.otp_transaction.current_since IS 'When it replaced the code before it; null: it never did';

COMMENT ON COLUMN platform.otp_transaction.verified_at IS 'When its code was used; null: it was not. Only ever moves forward';

CREATE FUNCTION private.current_otp(identifier_type text, identifier text, purpose text) RETURNS platform.otp_transaction
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_otp platform.otp_transaction;
begin
  select o.* into v_otp
  from platform.otp_transaction o
  where o.identifier = current_otp.identifier
    and o.identifier_type = current_otp.identifier_type
    and o.purpose = current_otp.purpose
    and o.current_since is not null
  order by o.current_since desc
  limit 1;
  return v_otp;
end
$$;

ALTER FUNCTION private.current_otp(identifier_type text, identifier text, purpose text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.current_otp(identifier_type text, identifier text, purpose text) IS 'The one-time password that counts: the latest one delivered. A newer one replaces it when its delivery is recorded,
so that a failed resend does not kill the code in hand. identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email.
purpose: LOGIN, SIGNUP or PASSWORD_RESET. Result: all null where there is none.';

CREATE FUNCTION private.decoy_hash(phone text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_cost integer;
begin
  -- Two looks into the index by phone; the second is the beginning of the circle, for phones after the last account.
  select private.password_cost(coalesce(
    (select a.password_hash from "user".account a
     where a.phone > decoy_hash.phone and a.password_hash is not null order by a.phone limit 1),
    (select a.password_hash from "user".account a
     where a.password_hash is not null order by a.phone limit 1)
  )) into v_cost;
  -- 31 dots are no bcrypt of anything: nobody can find a password for them.
  return private.decoy_salt(v_cost) || repeat('.', 31);
end
$$;

ALTER FUNCTION private.decoy_hash(phone text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.decoy_hash(phone text) IS 'What a login to a phone without a password is compared with: a hash that no password has, at the cost of the next account in
the order of phones. So phones without an account are spread over the costs in use as those with one are, always the same way for
one phone, and the little time that a cost takes more or less tells nothing. After the last account comes the first.
phone: E.164. Null where there is no account with a password.';

CREATE FUNCTION private.decoy_salt(cost integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select '$2a$' || lpad(decoy_salt.cost::text, 2, '0') || '$' || repeat('.', 21) || 'O'
$_$;

ALTER FUNCTION private.decoy_salt(cost integer) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.decoy_salt(cost integer) IS 'A fixed bcrypt salt of a cost, for work that only takes the time a real comparison takes.';

CREATE FUNCTION private.delivery_is_over(otp platform.otp_transaction) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select
    otp.verified_at is not null
    or otp.delivery in ('sent', 'refused', 'dropped', 'cancelled', 'stored')
    -- The request that waited was told of the failure; a later SMS would surprise.
    or (otp.awaited and otp.delivery in ('unreachable', 'uncertain'))
$$;

ALTER FUNCTION private.delivery_is_over(otp platform.otp_transaction) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.delivery_is_over(otp platform.otp_transaction) IS 'Whether nothing is to be sent any more for a one-time password. A reset request that did not reach the vendor is tried again.';

CREATE FUNCTION private.error(code text, details jsonb DEFAULT NULL::jsonb) RETURNS api.error
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select case when error.code is not null then row(error.code, error.details)::api.error end
$$;

ALTER FUNCTION private.error(code text, details jsonb) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.error(code text, details jsonb) IS 'The error of a refused call; null for a null code. The only place that makes one: a row whose fields are all null is null in SQL,
but an object in JSON, which the shell would take for a refusal. code: of the error catalog. details: for the client.';

CREATE FUNCTION private.failures_are_spent(failures integer, failed_at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_most jsonb := private.setting('OTP_FAILURES_IN_A_ROW');
begin
  return coalesce(
    v_most <> '"off"' and failures >= v_most::integer and failed_at + interval '1 day' > clock_timestamp(),
    false
  );
end
$$;

ALTER FUNCTION private.failures_are_spent(failures integer, failed_at timestamp with time zone) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.failures_are_spent(failures integer, failed_at timestamp with time zone) IS 'Whether so many wrong codes in a row, the latest at that moment, end verifying: OTP_FAILURES_IN_A_ROW or more, for a day.';

CREATE FUNCTION private.give_back_send(otp_id uuid) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with otp as (
    select o.id, o.identifier, o.counted_at from platform.otp_transaction o
    where o.id = give_back_send.otp_id and o.counted_at is not null
  ),
  given_back as (
    update platform.rate_limit l
    set (hits, totals) = (select u.hits, u.totals from private.uncount_hit(l, rule, otp.counted_at) u)
    from otp, private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', otp.identifier) rule
    where l.key = rule.key
  )
  update platform.otp_transaction o set counted_at = null from otp where o.id = otp.id
$$;

ALTER FUNCTION private.give_back_send(otp_id uuid) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.give_back_send(otp_id uuid) IS 'Uncounts a send that certainly did not happen, for the identifier, never for the client; a second call does nothing.
otp_id: a one-time password whose row the caller has locked.';

CREATE FUNCTION private.guesses_are_spent(identifier_type text, identifier text, purpose text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_most integer := private.setting_integer('OTP_MAX_ATTEMPTS');
  v_otp platform.otp_transaction := private.current_otp(
    guesses_are_spent.identifier_type, guesses_are_spent.identifier, guesses_are_spent.purpose
  );
begin
  -- The row's own count is the bound of a live code, whatever a changed setting makes of the window.
  if v_otp.attempts >= v_most and v_otp.verified_at is null and v_otp.expires_at > clock_timestamp() then
    return true;
  end if;
  return exists (
    select
    from private.guess_count g
    where g.identifier_type = guesses_are_spent.identifier_type
      and g.identifier = guesses_are_spent.identifier
      and g.purpose = guesses_are_spent.purpose
      and (v_otp.current_since > g.first_guess_at) is not true
      and g.guesses >= v_most
      and g.first_guess_at + private.setting_seconds('OTP_TTL_SECONDS') > clock_timestamp()
  );
end
$$;

ALTER FUNCTION private.guesses_are_spent(identifier_type text, identifier text, purpose text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.guesses_are_spent(identifier_type text, identifier text, purpose text) IS 'Whether OTP_MAX_ATTEMPTS wrong codes were tried for an identifier and purpose, within OTP_TTL_SECONDS of the first and since the
latest code was delivered. The same for a live code, a dead one and none: a guesser learns nothing of what there is.
identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email. purpose: of the code.';

CREATE FUNCTION private.hash_code(otp_id uuid, code text, code_key bytea) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if code_key is null or length(code_key) < 32 then
    raise exception 'the code key is missing or shorter than 32 bytes' using errcode = 'invalid_parameter_value';
  end if;
  return crypto.hmac(convert_to(otp_id || ':' || code, 'UTF8'), code_key, 'sha256');
end
$$;

ALTER FUNCTION private.hash_code(otp_id uuid, code text, code_key bytea) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.hash_code(otp_id uuid, code text, code_key bytea) IS 'HMAC-SHA-256 (RFC 2104) of a one-time password''s id and code. Keyed, because a million codes are hashed in a second;
the key never lies in the database. Raises when the key is missing: no code is ever stored under a weak one.
otp_id: binds the hash to its row. code: decimal digits. code_key: 32 bytes or more.';

CREATE FUNCTION private.hash_password(password_prehash text) RETURNS text
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select crypto.crypt(password_prehash, crypto.gen_salt('bf', private.setting_integer('PASSWORD_HASH_COST')))
$$;

ALTER FUNCTION private.hash_password(password_prehash text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.hash_password(password_prehash text) IS 'bcrypt of a keyed pre-hash with a fresh salt, at PASSWORD_HASH_COST.
password_prehash: 44 characters of base64, so bcrypt''s limit of 72 bytes cuts nothing off.';

CREATE FUNCTION private.hash_registration_password(phone text, password_prehash text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return crypto.crypt(
    password_prehash,
    private.registration_salt(hash_registration_password.phone, private.setting_integer('PASSWORD_HASH_COST'))
  );
end
$$;

ALTER FUNCTION private.hash_registration_password(phone text, password_prehash text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.hash_registration_password(phone text, password_prehash text) IS 'bcrypt of a registration''s password, under the salt that all registrations of its phone share: one bcrypt both makes the hash and
tells, by equality, whether two passwords are the same. phone: E.164. password_prehash: as private.hash_password.';

CREATE FUNCTION private.installed_migration() RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select max(a.name) from migration.applied a
$$;

ALTER FUNCTION private.installed_migration() OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.installed_migration() IS 'The name of the latest migration applied.';

CREATE FUNCTION private.integer_fault(value jsonb, minimum bigint, maximum bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
  select case
    when jsonb_typeof(value) = 'number' and value::text ~ '^[0-9]{1,15}$' and value::bigint between minimum and maximum then null
    else format('must be a whole number from %s to %s, not %s', minimum, maximum, left(value::text, 40))
  end
$_$;

ALTER FUNCTION private.integer_fault(value jsonb, minimum bigint, maximum bigint) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.integer_fault(value jsonb, minimum bigint, maximum bigint) IS 'What is wrong with the value of an integer setting; null when nothing is.';

CREATE FUNCTION private.is_known_client(phone text, client text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return exists (
    select
    from "user".account a
    join private.known_client k on k.account_id = a.id
    where a.phone = is_known_client.phone
      and k.client = is_known_client.client
      and k.logged_in_at > now() - private.known_client_lifetime()
  );
end
$$;

ALTER FUNCTION private.is_known_client(phone text, client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.is_known_client(phone text, client text) IS 'Whether the account of a phone logged in from a client lately (private.known_client_lifetime). False where there is no account:
what depends on it must answer alike to whoever has neither code nor password. phone: E.164. client: address as limits count it.';

CREATE FUNCTION private.is_loopback(client text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  return client = '::1' or client ~ '^127\.[0-9.]+$';
end
$_$;

ALTER FUNCTION private.is_loopback(client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.is_loopback(client text) IS 'Whether a client is this machine itself: a developer, or a proxy that nobody declared. client: address as limits count it.';

CREATE FUNCTION private.known_client_lifetime() RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select interval '30 days'
$$;

ALTER FUNCTION private.known_client_lifetime() OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.known_client_lifetime() IS 'How long a client stays known to an account that logged in from it.';

CREATE FUNCTION private.limit_fault(value jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_parts text[] := regexp_match(value #>> '{}', '^([1-9][0-9]{0,3})/([1-9][0-9]{0,6})$');
begin
  -- The bounds keep a window's end within the clean-up's reach, and its count within what one client can mean.
  if jsonb_typeof(value) = 'string' and v_parts[1]::integer <= 1000 and v_parts[2]::integer <= 2592000 then
    return null;
  end if;
  return format('must be text "requests/seconds" with 1 to 1000 requests and 1 to 2592000 seconds, not %s', left(value::text, 40));
end
$_$;

ALTER FUNCTION private.limit_fault(value jsonb) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.limit_fault(value jsonb) IS 'What is wrong with the value of a limit setting; null when nothing is.';

CREATE FUNCTION private.live_registrations(phone text) RETURNS SETOF private.pending_registration
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select r.*
  from private.pending_registration r
  where r.phone = live_registrations.phone
    and r.registered_at > clock_timestamp() - private.registration_lifetime()
  order by r.registered_at desc, r.user_id desc
$$;

ALTER FUNCTION private.live_registrations(phone text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.live_registrations(phone text) IS 'The registrations of a phone that can still be confirmed, latest first. phone: E.164.';

CREATE FUNCTION private.lock_verification_state(identifier_type text, identifier text) RETURNS private.verification_state
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_state private.verification_state;
begin
  loop
    select s.* into v_state
    from private.verification_state s
    where s.identifier_type = lock_verification_state.identifier_type and s.identifier = lock_verification_state.identifier
    for update;
    exit when found;
    -- In a loop, because the clean-up may delete the row between the two statements.
    insert into private.verification_state (identifier_type, identifier)
    values (lock_verification_state.identifier_type, lock_verification_state.identifier)
    on conflict on constraint verification_state_pkey do nothing;
  end loop;
  return v_state;
end
$$;

ALTER FUNCTION private.lock_verification_state(identifier_type text, identifier text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.lock_verification_state(identifier_type text, identifier text) IS 'The state of an identifier''s verifications, locked until the transaction ends: guesses at its codes and registrations of it run one
after another. Comes before every other lock. identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email.';

CREATE FUNCTION private.login_failure_rules(phone text, client text) RETURNS private.rate_limit_rule[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return array[
    private.rate_limit_rule('LOGIN_FAILURES_PER_PHONE_AND_IP', login_failure_rules.phone || ' ' || login_failure_rules.client),
    private.rate_limit_rule('LOGIN_FAILURES_PER_PHONE', login_failure_rules.phone),
    private.rate_limit_rule('LOGIN_FAILURES_PER_IP', login_failure_rules.client)
  ];
end
$$;

ALTER FUNCTION private.login_failure_rules(phone text, client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.login_failure_rules(phone text, client text) IS 'The limits that every failed login counts against; the first is the narrow one, of the phone and the client together.
phone: E.164. client: address as limits count it.';

CREATE FUNCTION private.login_rules(phone text) RETURNS private.rate_limit_rule[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return array[private.rate_limit_rule('LOGINS_PER_PHONE', login_rules.phone)];
end
$$;

ALTER FUNCTION private.login_rules(phone text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.login_rules(phone text) IS 'The limit that every successful login counts against, so that nobody keeps bcrypt busy with an account of its own. phone: E.164.';

CREATE FUNCTION private.look_at_rate_limits(rules private.rate_limit_rule[]) RETURNS private.rate_limit_verdict
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_rule private.rate_limit_rule;
  v_wait interval;
  v_verdict private.rate_limit_verdict;
begin
  foreach v_rule in array rules loop
    -- The window is full until the entry with the hit that is "requests" hits back leaves it. Fewer hits, or no rule: null, room.
    select l.hits[width_bucket(l.totals[cardinality(l.totals)] - v_rule.requests, l.totals)] + v_rule.period - clock_timestamp()
    into v_wait
    from platform.rate_limit l
    where l.key = v_rule.key and l.totals[cardinality(l.totals)] - l.totals[1] >= v_rule.requests;
    if v_wait > greatest(v_verdict.wait, interval '0') then
      v_verdict := row(v_rule.policy, v_rule.requests, v_rule.period, v_wait, null)::private.rate_limit_verdict;
    end if;
  end loop;
  return v_verdict;
end
$$;

ALTER FUNCTION private.look_at_rate_limits(rules private.rate_limit_rule[]) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.look_at_rate_limits(rules private.rate_limit_rule[]) IS 'Whether every rule has room, without a lock or a write: a refused request costs a read.
rules: null elements (limits that are off) are passed over. Result: the rule with the longest wait, or wait null for room.';

CREATE FUNCTION private.make_code(length integer) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_code text := '';
  v_byte integer;
begin
  while pg_catalog.length(v_code) < make_code.length loop
    v_byte := get_byte(crypto.gen_random_bytes(1), 0);
    -- 250 to 255 are drawn again: with them the digits 0 to 5 would come up more often than 6 to 9.
    if v_byte < 250 then
      v_code := v_code || (v_byte % 10);
    end if;
  end loop;
  return v_code;
end
$$;

ALTER FUNCTION private.make_code(length integer) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.make_code(length integer) IS 'A one-time password of so many decimal digits, every value equally likely, from pgcrypto''s cryptographic source
(NIST SP 800-63B: at least 20 bits for an out-of-band secret is met by 6 digits with OTP_MAX_ATTEMPTS).';

CREATE FUNCTION private.may_be_sent(otp platform.otp_transaction) RETURNS boolean
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select
    -- A code that is dead before it can be typed only confuses.
    otp.expires_at - clock_timestamp() >= least(interval '1 minute', (otp.expires_at - otp.created_at) / 2)
    and private.setting('OTP_PROVIDER') is not null
    and (otp.awaited or exists (
      select from "user".account a where a.phone = otp.identifier
    ))
$$;

ALTER FUNCTION private.may_be_sent(otp platform.otp_transaction) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.may_be_sent(otp platform.otp_transaction) IS 'Whether a one-time password is still worth an SMS: a minute or more is left (half its life where that is shorter), a provider is
set, and, unless POST /otp/send asked for it, the phone has a verified account.';

CREATE FUNCTION private.missing_rights() RETURNS text[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select array(
    select r.line from private.granted_right r
    except
    select f.line from private.rights_in_force() f (line)
    order by 1
  )
$$;

ALTER FUNCTION private.missing_rights() OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.missing_rights() IS 'What the last migration left in force (private.granted_right) and is not so any more, as after a restore into a cluster without our roles.
Result: lines in alphabetical order; empty when nothing is missing.';

CREATE FUNCTION private.new_id() RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  -- 48 bits of milliseconds over the random bits of a version 4 id; bits 52 and 53 turn its version into 7.
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

ALTER FUNCTION private.new_id() OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.new_id() IS 'A new time-ordered id: UUID version 7 (RFC 9562), so that indexes of growing tables are appended to.
Own code, because PostgreSQL has uuidv7() from 18 on only. Not a secret: it tells when it was made.';

CREATE FUNCTION private.next_failure(failures integer, failed_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_most jsonb := private.setting('OTP_FAILURES_IN_A_ROW');
begin
  if private.failures_are_spent(failures, failed_at) then
    return failures;
  end if;
  return case when v_most <> '"off"' and failures >= v_most::integer then 1 else failures + 1 end;
end
$$;

ALTER FUNCTION private.next_failure(failures integer, failed_at timestamp with time zone) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.next_failure(failures integer, failed_at timestamp with time zone) IS 'A count of failures in a row after one more: unchanged while it is spent, 1 when its day is over.
failures: the count. failed_at: when the latest was counted.';

CREATE FUNCTION private.open_session(user_id uuid) RETURNS api.session_answer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_session "user".session;
begin
  -- The trigger "user".complete_session gives it its ids and ends.
  insert into "user".session as s (user_id) values (open_session.user_id) returning s.* into v_session;
  return private.session_answer(v_session);
end
$$;

ALTER FUNCTION private.open_session(user_id uuid) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.open_session(user_id uuid) IS 'Opens a session with fresh token ids and both lifetimes from now. user_id: the account, or null for a guest.';

CREATE FUNCTION private.password_cost(password_hash text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select substr(password_cost.password_hash, 5, 2)::integer
$$;

ALTER FUNCTION private.password_cost(password_hash text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.password_cost(password_hash text) IS 'The bcrypt cost (log2 of rounds) that a password hash was made at; null for null.';

CREATE FUNCTION private.password_error(field text, password_length integer, password_is_common boolean) RETURNS api.error
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  c_maximum constant integer := 256;
  v_minimum integer := private.setting_integer('PASSWORD_MIN_LENGTH');
  v_fault jsonb := case
    when password_length < v_minimum then jsonb_build_object('reason', 'too_short', 'minimum', v_minimum)
    when password_length > c_maximum then jsonb_build_object('reason', 'too_long', 'maximum', c_maximum)
    when password_is_common then jsonb_build_object('reason', 'too_common')
  end;
begin
  if v_fault is null then
    return null;
  end if;
  return private.error('INVALID_REQUEST', jsonb_build_object('field', password_error.field) || v_fault);
end
$$;

ALTER FUNCTION private.password_error(field text, password_length integer, password_is_common boolean) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.password_error(field text, password_length integer, password_is_common boolean) IS 'The first password rule that a new password breaks; null when it keeps them all. NIST SP 800-63B: a minimum length, a list of common
passwords, no composition rules, nothing truncated. The password itself never reaches the database.
field: its name in the request. password_length: characters (Unicode code points). password_is_common: whether the shell''s list of
common passwords holds it. Errors: INVALID_REQUEST (details.field, details.reason).';

CREATE FUNCTION private.provider_fault(value jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
  v_provider text;
begin
  if jsonb_typeof(value) is distinct from 'object' then
    return 'must be an object with providerToUse and template';
  end if;
  v_provider := value ->> 'providerToUse';
  if v_provider is null or v_provider not in ('console', 'http', 'twilio', 'aws-sns', 'vonage') then
    return 'providerToUse must be one of console, http, twilio, aws-sns, vonage';
  end if;
  if jsonb_typeof(value -> 'template') is distinct from 'string' or strpos(value ->> 'template', '{{code}}') = 0 then
    return 'template must be a text that holds {{code}}';
  end if;
  if length(value ->> 'template') > 1000 then
    return 'template must be 1000 characters at most';
  end if;
  if value ? v_provider and jsonb_typeof(value -> v_provider) <> 'object' then
    return format('%s must be an object: the options of that provider', v_provider);
  end if;
  if v_provider = 'http' and coalesce(value #>> '{http,url}', '') !~ '^https?://(\[[0-9a-fA-F:.]+\]|[^][/?#@:[:space:]]+)(:[0-9]{1,5})?([/?#][^[:space:]]*)?$' then
    return 'http.url must be an http or https address, without a user and password';
  end if;
  return null;
end
$_$;

ALTER FUNCTION private.provider_fault(value jsonb) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.provider_fault(value jsonb) IS 'What is wrong with an OTP_PROVIDER record; null when nothing is. Credentials have no place in it: they come from the environment.';

CREATE FUNCTION private.queue_otp(identifier text, purpose text, awaited boolean, counted_at timestamp with time zone) RETURNS platform.otp_transaction
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_otp platform.otp_transaction;
begin
  insert into platform.otp_transaction as o
    (id, identifier, identifier_type, purpose, awaited, counted_at, delivery, created_at, expires_at)
  values (
    private.new_id(), queue_otp.identifier, 'PHONE', queue_otp.purpose, queue_otp.awaited, queue_otp.counted_at, 'queued',
    queue_otp.counted_at, queue_otp.counted_at + private.setting_seconds('OTP_TTL_SECONDS')
  )
  returning o.* into v_otp;

  perform graphile_worker.add_job('send_otp', json_build_object('otp_id', v_otp.id), max_attempts => 5);
  return v_otp;
end
$$;

ALTER FUNCTION private.queue_otp(identifier text, purpose text, awaited boolean, counted_at timestamp with time zone) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.queue_otp(identifier text, purpose text, awaited boolean, counted_at timestamp with time zone) IS 'Records a one-time password for a phone and queues its SMS in the same transaction: neither is ever there without the other.
The job carries the id and nothing else; the code is made when it is about to be sent (delivery.issue_otp_code).
identifier: E.164. awaited: a request waits for the delivery. counted_at: the moment the send counts for, and its creation.';

CREATE FUNCTION private.rate_limit_error(verdict private.rate_limit_verdict) RETURNS api.error
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if verdict.wait is null then
    return null;
  end if;
  return private.error('RATE_LIMIT_EXCEEDED', jsonb_build_object(
    -- Rounded up, so that a client that waits as long as it is told is let in.
    'retryAfterSeconds', ceil(extract(epoch from verdict.wait))::integer,
    'policy', verdict.policy,
    'requests', verdict.requests,
    'seconds', extract(epoch from verdict.period)::integer
  ));
end
$$;

ALTER FUNCTION private.rate_limit_error(verdict private.rate_limit_verdict) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.rate_limit_error(verdict private.rate_limit_verdict) IS 'The error of a request that a rate limit refuses; null for one that it allows.
Errors: RATE_LIMIT_EXCEEDED (details: retryAfterSeconds, and the policy with its requests per seconds).';

CREATE FUNCTION private.rate_limit_retention() RETURNS interval
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select max(make_interval(secs => split_part(l.value, '/', 2)::integer))
  from private.setting_definition d
  join private.setting_in_force s on s.key = d.key,
  lateral (values (s.value #>> '{}')) l (value)
  where d.kind in ('limit', 'limit or off') and l.value <> 'off'
$$;

ALTER FUNCTION private.rate_limit_retention() OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.rate_limit_retention() IS 'The longest period of any limit in force: a rate limit not hit for that long holds nothing.';

CREATE FUNCTION private.rate_limit_rule(setting_key text, subject text) RETURNS private.rate_limit_rule
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_limit text;
begin
  select s.value #>> '{}' into v_limit from private.setting_in_force s where s.key = setting_key;
  if v_limit = 'off' then
    return null;
  end if;
  return row(
    setting_key,
    setting_key || ':' || subject,
    split_part(v_limit, '/', 1)::integer,
    make_interval(secs => split_part(v_limit, '/', 2)::integer)
  )::private.rate_limit_rule;
end
$$;

ALTER FUNCTION private.rate_limit_rule(setting_key text, subject text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.rate_limit_rule(setting_key text, subject text) IS 'The rule that a limit setting makes for one subject; null while the setting is off.
setting_key: e.g. OTP_SEND_PER_IP. subject: who or what is counted, e.g. the client''s address.';

CREATE FUNCTION private.rate_limit_slot(rule private.rate_limit_rule, at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  c_slots constant integer := 60;
begin
  if rule.requests <= c_slots then
    return at;
  end if;
  return date_bin(rule.period / c_slots, at, timestamptz 'epoch');
end
$$;

ALTER FUNCTION private.rate_limit_slot(rule private.rate_limit_rule, at timestamp with time zone) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.rate_limit_slot(rule private.rate_limit_rule, at timestamp with time zone) IS 'The slot of a window that a request falls into; requests of one slot share an entry of platform.rate_limit.
A rule of 60 requests or fewer has a slot per request, so its window is exact; a larger one has 60 slots per period, and an entry
counts until its latest request leaves the window: the limit is never exceeded, and frees up to a sixtieth of the period late.';

CREATE FUNCTION private.refuse_login(rules private.rate_limit_rule[], client text) RETURNS private.rate_limit_verdict
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_room private.rate_limit_verdict;
  v_verdict private.rate_limit_verdict := private.look_at_rate_limits(rules);
begin
  if v_verdict.wait is null then
    return v_verdict;
  end if;

  -- A known client's right password is let in while a wide limit is spent. It is compared for every phone at such an address,
  -- or the time that an answer takes would tell which account logged in from there.
  v_room := private.look_at_rate_limits(rules[1:1]);
  if v_room.wait is null and exists (
    select
    from private.known_client k
    where k.client = refuse_login.client and k.logged_in_at > now() - private.known_client_lifetime()
  ) then
    return v_room;
  end if;
  return v_verdict;
end
$$;

ALTER FUNCTION private.refuse_login(rules private.rate_limit_rule[], client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.refuse_login(rules private.rate_limit_rule[], client text) IS 'The verdict on a login before its password is compared: a request that no password can help costs no bcrypt.
rules: private.login_failure_rules. client: address as limits count it. Result: wait null to go on.';

CREATE FUNCTION private.registration_lifetime() RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select interval '24 hours'
$$;

ALTER FUNCTION private.registration_lifetime() OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.registration_lifetime() IS 'How long a registration waits for its verification.';

CREATE FUNCTION private.registration_salt(phone text, cost integer) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
  -- bcrypt's alphabet has a full stop where base64 has a plus.
  return '$2a$' || lpad(registration_salt.cost::text, 2, '0') || '$'
    || translate(left(encode(sha256(convert_to('latchkey registration ' || registration_salt.phone, 'UTF8')), 'base64'), 22), '+', '.');
end
$_$;

ALTER FUNCTION private.registration_salt(phone text, cost integer) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.registration_salt(phone text, cost integer) IS 'The bcrypt salt of a phone''s pending registrations, the same for all of them: so registrations that arrive at once, or in any order,
tell by equal hashes that their passwords are equal. Each phone has its own, and what is hashed is keyed, so no table of hashes
can be made beforehand. phone: E.164. cost: bcrypt cost.';

CREATE FUNCTION private.registration_to_confirm(phone text, user_id uuid) RETURNS private.pending_registration
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_registration private.pending_registration;
begin
  select r.* into v_registration
  from private.live_registrations(registration_to_confirm.phone) r
  where registration_to_confirm.user_id is null or r.user_id = registration_to_confirm.user_id
  order by r.registered_at desc, r.user_id desc
  limit 1;

  if v_registration.is_contested and registration_to_confirm.user_id is null then
    -- Nobody can tell whose registration this is: neither its id nor its password and email become the account's.
    v_registration.user_id := private.new_id();
    v_registration.email := null;
    v_registration.password_hash := null;
  end if;
  return v_registration;
end
$$;

ALTER FUNCTION private.registration_to_confirm(phone text, user_id uuid) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.registration_to_confirm(phone text, user_id uuid) IS 'What a phone''s account will be made of. user_id: the registration that the client names, null when it names none: then the latest,
without its password and email where registrations of the phone have different passwords. Result: all null where there is none.
phone: E.164; the caller holds its row of private.verification_state.';

CREATE FUNCTION private.remember_client(account_id uuid, client text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  insert into private.known_client as k (account_id, client, logged_in_at)
  values (remember_client.account_id, remember_client.client, now())
  on conflict on constraint known_client_pkey do update set logged_in_at = excluded.logged_in_at
$$;

ALTER FUNCTION private.remember_client(account_id uuid, client text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.remember_client(account_id uuid, client text) IS 'Records that an account logged in from a client (see private.login_failure_rules). client: address as limits count it.';

CREATE FUNCTION private.remember_rights() RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with in_force as (
    select distinct f.line from private.rights_in_force() f (line)
  ),
  gone as (
    delete from private.granted_right r where not exists (select from in_force f where f.line = r.line)
  )
  insert into private.granted_right (line) select f.line from in_force f
  on conflict do nothing
$$;

ALTER FUNCTION private.remember_rights() OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.remember_rights() IS 'Stores what is in force, for private.missing_rights. The last step of each migration.';

CREATE FUNCTION private.replace_password(phone text, password_prehash text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_account_id uuid;
  v_password_hash text;
begin
  select a.id into v_account_id from "user".account a
  where a.phone = replace_password.phone;
  if not found then
    return false;
  end if;

  -- bcrypt works before the account is locked; the locks then come in the order rate limits, account, sessions.
  v_password_hash := private.hash_password(replace_password.password_prehash);
  perform private.clear_login_limits(replace_password.phone);
  update "user".account a set password_hash = v_password_hash, updated_at = clock_timestamp() where a.id = v_account_id;
  if not found then
    return false;
  end if;
  perform private.revoke_sessions_of_user(v_account_id);
  return true;
end
$$;

ALTER FUNCTION private.replace_password(phone text, password_prehash text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.replace_password(phone text, password_prehash text) IS 'Sets the password of a phone''s verified account, revokes its sessions and forgets its failed logins; false where there is none.
phone: E.164. password_prehash: as private.hash_password.';

CREATE FUNCTION private.revoke_session(session_id uuid) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  update "user".session s set revoked_at = clock_timestamp()
  where s.id = revoke_session.session_id and s.revoked_at is null
$$;

ALTER FUNCTION private.revoke_session(session_id uuid) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.revoke_session(session_id uuid) IS 'Revokes one session: its tokens are refused from the next request on. A second call changes nothing.';

CREATE FUNCTION private.revoke_sessions_of_user(user_id uuid) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  -- Locked in the order of their ids: two such calls at once cannot deadlock.
  with doomed as (
    select s.id from "user".session s
    where s.user_id = revoke_sessions_of_user.user_id and s.revoked_at is null
    order by s.id
    for no key update
  )
  update "user".session s set revoked_at = clock_timestamp() from doomed where s.id = doomed.id
$$;

ALTER FUNCTION private.revoke_sessions_of_user(user_id uuid) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.revoke_sessions_of_user(user_id uuid) IS 'Revokes every session of an account. The caller holds the account''s row, so that no login slips in behind it.';

CREATE FUNCTION private.rights_in_force() RETURNS SETOF text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with our_schema as (
    select n.* from pg_namespace n
    where n.nspname in ('api', 'delivery', 'graphile_worker', 'migration', 'platform', 'private', 'settings', 'user')
  ),
  our_role as (
    select r.oid from pg_roles r
    where r.rolname in ('latchkey_owner', 'latchkey_server', 'latchkey_graphql', 'latchkey_worker', 'latchkey_guest', 'latchkey_user', 'latchkey_admin')
  ),
  object (name, owner, rights) as (
    select format('schema %I', n.nspname), n.nspowner, n.nspacl from our_schema n
    union all
    select format('%I.%I', n.nspname, c.relname), c.relowner, c.relacl
    from our_schema n join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v', 'S')
    union all
    -- The queue's functions come and go with its library.
    select format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)), p.proowner, p.proacl
    from our_schema n join pg_proc p on p.pronamespace = n.oid
    where n.nspname <> 'graphile_worker'
  ),
  granted (name, owner, rights) as (
    select o.name, o.owner, o.rights from object o
    union all
    select format('%I.%I (%I)', n.nspname, c.relname, a.attname), c.relowner, a.attacl
    from our_schema n join pg_class c on c.relnamespace = n.oid join pg_attribute a on a.attrelid = c.oid and a.attacl is not null
  )
  select format('%s is owned by latchkey_owner', o.name) from object o where o.owner = 'latchkey_owner'::regrole
  union all
  select format('%s: %s may %s', g.name, r.grantee::regrole, lower(r.privilege_type))
  from granted g, aclexplode(g.rights) r
  where r.grantee <> g.owner and r.grantee in (select o.oid from our_role o)
  union all
  select format('%I.%I has row-level security', n.nspname, c.relname)
  from our_schema n join pg_class c on c.relnamespace = n.oid and c.relrowsecurity
  union all
  select format('%I.%I: policy "%s" for %s', n.nspname, c.relname, p.polname, array_to_string(p.polroles::regrole[], ', '))
  from our_schema n join pg_class c on c.relnamespace = n.oid join pg_policy p on p.polrelid = c.oid
$$;

ALTER FUNCTION private.rights_in_force() OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.rights_in_force() IS 'What latchkey_owner owns in our schemas, what our roles are granted there, which tables have row-level security and which policies: a line
each. Conditions of policies are left out, because each version of PostgreSQL words them its own way.';

CREATE TABLE "user".session (
    id uuid NOT NULL,
    user_id uuid,
    user_type text NOT NULL,
    role text NOT NULL,
    access_token_id uuid NOT NULL,
    access_token_expires_at timestamp with time zone NOT NULL,
    refresh_token_id uuid NOT NULL,
    refresh_token_expires_at timestamp with time zone NOT NULL,
    previous_refresh_token_id uuid,
    rotated_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT session_of_a_guest_has_no_user CHECK (((user_type =
CASE
    WHEN (user_id IS NULL) THEN 'guest'::text
    ELSE 'user'::text
END) AND (role = user_type)))
)
WITH (fillfactor='70');

ALTER TABLE "user".session OWNER TO latchkey_owner;

COMMENT ON TABLE "user".session IS 'A session; live while revoked_at is null and refresh_token_expires_at is in the future. Holds token ids (jti), never tokens.';

COMMENT ON COLUMN "user".session.id IS 'Claim sid of its tokens';

COMMENT ON COLUMN "user".session.user_id IS 'Null for a guest';

COMMENT ON COLUMN "user".session.user_type IS 'guest or user';

COMMENT ON COLUMN "user".session.role IS 'The role that its tokens carry: the same as user_type';

COMMENT ON COLUMN "user".session.access_token_id IS 'Claim jti of the current access token';

COMMENT ON COLUMN "user".session.access_token_expires_at IS 'When the current access token expires';

COMMENT ON COLUMN "user".session.refresh_token_id IS 'Claim jti of the current refresh token';

COMMENT ON COLUMN "user".session.refresh_token_expires_at IS 'When the current refresh token expires, and the session with it unless it is refreshed';

COMMENT ON COLUMN "user".session.previous_refresh_token_id IS 'The refresh token that was replaced at rotated_at: it still refreshes within REFRESH_REUSE_GRACE_SECONDS, later its use is theft';

COMMENT ON COLUMN "user".session.rotated_at IS 'When its tokens were last replaced; null: never';

COMMENT ON COLUMN "user".session.created_at IS 'When it was opened';

COMMENT ON COLUMN "user".session.revoked_at IS 'When it was revoked; null: it was not. Only ever moves forward';

CREATE FUNCTION private.rotate_session(session "user".session) RETURNS api.session_answer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_session "user".session;
begin
  update "user".session s
  set previous_refresh_token_id = s.refresh_token_id,
      rotated_at = clock_timestamp(),
      access_token_id = gen_random_uuid(),
      access_token_expires_at = clock_timestamp() + make_interval(secs => a.value::integer),
      refresh_token_id = gen_random_uuid(),
      refresh_token_expires_at = clock_timestamp() + make_interval(secs => r.value::integer)
  from private.setting_in_force a, private.setting_in_force r
  where s.id = session.id and a.key = 'ACCESS_TOKEN_TTL_SECONDS' and r.key = 'REFRESH_TOKEN_TTL_SECONDS'
  returning s.* into v_session;
  return private.session_answer(v_session);
end
$$;

ALTER FUNCTION private.rotate_session(session "user".session) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.rotate_session(session "user".session) IS 'Replaces both token ids of a session and starts both lifetimes anew. session: a row that the caller has locked.';

CREATE FUNCTION private.session_answer(session "user".session) RETURNS api.session_answer
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return row(
    null, session.id, session.user_id, session.user_type, session.role,
    session.access_token_id, session.access_token_expires_at,
    session.refresh_token_id, session.refresh_token_expires_at
  )::api.session_answer;
end
$$;

ALTER FUNCTION private.session_answer(session "user".session) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.session_answer(session "user".session) IS 'The answer that carries a session: what the shell needs to sign its tokens.';

CREATE FUNCTION private.session_error(session "user".session) RETURNS api.error
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  if session.revoked_at is not null then
    return private.error('SESSION_REVOKED');
  end if;
  if session.id is null or session.refresh_token_expires_at <= clock_timestamp() then
    return private.error('SESSION_NOT_FOUND', jsonb_build_object('reason', 'session_missing'));
  end if;
  return null;
end
$$;

ALTER FUNCTION private.session_error(session "user".session) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.session_error(session "user".session) IS 'Why a session is refused; null for a live one. The one place that says what a live session is: it exists, is not revoked, and its
refresh token has not expired. session: a row as read, all null where there is none. Errors: SESSION_NOT_FOUND, SESSION_REVOKED.';

CREATE FUNCTION private.setting(key text) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_value jsonb;
begin
  -- plpgsql, like its two wrappers: before PostgreSQL 18 a SQL function is planned anew at every call, and every
  -- request reads several settings.
  select s.value into v_value from private.setting_in_force s where s.key = setting.key;
  return v_value;
end
$$;

ALTER FUNCTION private.setting(key text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.setting(key text) IS 'The value in force of a setting: the stored one, else its default.
key: a key of private.setting_definition. Null for an unknown key or where there is neither.';

CREATE FUNCTION private.setting_fault(key text, value jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_definition private.setting_definition;
begin
  select d.* into v_definition from private.setting_definition d where d.key = setting_fault.key;
  if not found then
    return 'there is no such setting';
  end if;
  if v_definition.kind in ('integer or off', 'limit or off') and value = '"off"' then
    return null;
  end if;
  if v_definition.kind in ('integer', 'integer or off') then
    return private.integer_fault(value, v_definition.minimum, v_definition.maximum);
  end if;
  if v_definition.kind = 'provider' then
    return private.provider_fault(value);
  end if;
  return private.limit_fault(value);
end
$$;

ALTER FUNCTION private.setting_fault(key text, value jsonb) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.setting_fault(key text, value jsonb) IS 'What is wrong with a setting''s value, as a sentence for people; null when nothing is.';

CREATE FUNCTION private.setting_integer(key text) RETURNS integer
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return private.setting(setting_integer.key)::integer;
end
$$;

ALTER FUNCTION private.setting_integer(key text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.setting_integer(key text) IS 'The value in force of an integer setting. key: as private.setting.';

CREATE FUNCTION private.setting_seconds(key text) RETURNS interval
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  return make_interval(secs => private.setting(setting_seconds.key)::integer);
end
$$;

ALTER FUNCTION private.setting_seconds(key text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.setting_seconds(key text) IS 'The value in force of a setting that counts seconds, as an interval. key: as private.setting.';

CREATE FUNCTION private.settle_delivery(otp platform.otp_transaction, outcome text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  update platform.otp_transaction o
  set delivery = settle_delivery.outcome,
      -- Of a reset request, whatever came of it, or the fate of a live code would tell who has an account.
      current_since = case
        when settle_delivery.outcome = 'sent' or not o.awaited then coalesce(o.current_since, clock_timestamp())
      end
  where o.id = otp.id and o.delivery not in ('sent', 'cancelled');

  if otp.awaited and settle_delivery.outcome in ('refused', 'unreachable', 'dropped') then
    perform private.give_back_send(otp.id);
  end if;
  if otp.awaited and otp.delivery <> 'cancelled' then
    perform pg_notify('otp_delivery', otp.id::text);
  end if;
end
$$;

ALTER FUNCTION private.settle_delivery(otp platform.otp_transaction, outcome text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.settle_delivery(otp platform.otp_transaction, outcome text) IS 'Records what came of a delivery and wakes the request that waits, which reads the row. otp: a row that the caller has locked.
outcome: sent, refused, unreachable, uncertain or dropped. Nothing can have been sent by the second, third and last:
the send is then given back to the identifier, unless it is a reset request''s.';

CREATE FUNCTION private.store_email_otp(identifier text, purpose text, counted_at timestamp with time zone, code_key bytea) RETURNS platform.otp_transaction
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_id uuid := private.new_id();
  v_code text := private.make_code(private.setting_integer('OTP_LENGTH'));
  v_otp platform.otp_transaction;
begin
  insert into platform.otp_transaction as o
    (id, identifier, identifier_type, purpose, awaited, counted_at, delivery, created_at, expires_at, current_since, code_hash)
  values (
    v_id, store_email_otp.identifier, 'EMAIL', store_email_otp.purpose, false, store_email_otp.counted_at, 'stored',
    store_email_otp.counted_at, store_email_otp.counted_at + private.setting_seconds('OTP_TTL_SECONDS'),
    clock_timestamp(), private.hash_code(v_id, v_code, store_email_otp.code_key)
  )
  returning o.* into v_otp;
  return v_otp;
end
$$;

ALTER FUNCTION private.store_email_otp(identifier text, purpose text, counted_at timestamp with time zone, code_key bytea) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.store_email_otp(identifier text, purpose text, counted_at timestamp with time zone, code_key bytea) IS 'Makes and hashes the one-time password of an email address; nothing is sent (specification: What the service does).
identifier: lower-cased email. counted_at: the moment the send counts for, and its creation. code_key: 32 bytes.';

CREATE FUNCTION private.store_registration(user_id uuid, phone text, email text, password_hash text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_is_contested boolean;
begin
  -- Locked and not only looked up: so both ways write, and a commit takes the same time.
  perform from "user".account a where a.phone = store_registration.phone for key share;
  if found then
    return;
  end if;

  -- Those that have ended count too, else a stranger who registers the phone every day would win on the day after.
  select coalesce(bool_or(r.is_contested or r.password_hash <> store_registration.password_hash), false) into v_is_contested
  from private.pending_registration r
  where r.phone = store_registration.phone;

  insert into private.pending_registration (user_id, phone, email, password_hash, is_contested, registered_at)
  values (
    store_registration.user_id, store_registration.phone, store_registration.email, store_registration.password_hash,
    v_is_contested, clock_timestamp()
  );
  -- All of them and not the new one alone, which a clock that steps back makes the oldest.
  update private.pending_registration r set is_contested = true
  where r.phone = store_registration.phone and v_is_contested and not r.is_contested;

  delete from private.pending_registration r
  where r.user_id in (
    select l.user_id from private.pending_registration l
    where l.phone = store_registration.phone
    order by l.registered_at desc, l.user_id desc
    offset 5
  );
end
$$;

ALTER FUNCTION private.store_registration(user_id uuid, phone text, email text, password_hash text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.store_registration(user_id uuid, phone text, email text, password_hash text) IS 'Keeps a registration until its phone is verified, the latest five of a phone; for a registered phone it stores nothing. When two have
different passwords all become contested, and stay so: a stranger cannot push the owner''s registration out and be alone.
The caller holds the phone''s row of private.verification_state. phone: E.164. email: lower-cased, or null.
password_hash: private.hash_registration_password.';

CREATE FUNCTION private.take_rate_limits(rules private.rate_limit_rule[]) RETURNS private.rate_limit_verdict
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_rule private.rate_limit_rule;
  v_rules private.rate_limit_rule[] := array_remove(rules, null);
  v_verdict private.rate_limit_verdict;
begin
  if cardinality(v_rules) = 0 then
    return v_verdict;
  end if;
  v_verdict := private.look_at_rate_limits(v_rules);
  if v_verdict.wait is not null then
    return v_verdict;
  end if;

  -- Locked in the order of their keys, whatever the caller's: two requests on crossing keys cannot deadlock.
  for v_rule in select r.* from unnest(v_rules) r order by r.key collate "C" loop
    loop
      perform from platform.rate_limit l where l.key = v_rule.key for update;
      exit when found;
      -- In a loop, because the clean-up may delete the row between the two statements.
      insert into platform.rate_limit (key) values (v_rule.key) on conflict do nothing;
    end loop;
  end loop;

  v_verdict := private.look_at_rate_limits(v_rules);
  if v_verdict.wait is not null then
    return v_verdict;
  end if;

  -- Stamped after the locks: an earlier stamp would leave the window too early by the time waited for them.
  v_verdict.taken_at := clock_timestamp();
  update platform.rate_limit l
  set (hits, totals) = (select c.hits, c.totals from private.count_hit(l, r, v_verdict.taken_at) c)
  from unnest(v_rules) r
  where l.key = r.key;
  return v_verdict;
end
$$;

ALTER FUNCTION private.take_rate_limits(rules private.rate_limit_rule[]) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.take_rate_limits(rules private.rate_limit_rule[]) IS 'Counts one request against every rule, or, where one has no room, against none. Windows slide:
at no moment does the last period hold more than the rule''s requests, over any number of connections.
rules: null elements are passed over. Call it once per transaction, or, as a group of calls does, in the order of the keys:
else two transactions may deadlock.
Result: wait null and taken_at when counted (taken_at null too where every limit is off); policy and wait when refused.';

CREATE FUNCTION private.uncount_hit(rate_limit platform.rate_limit, rule private.rate_limit_rule, at timestamp with time zone) RETURNS platform.rate_limit
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_window platform.rate_limit := rate_limit;
  v_found integer;
begin
  select h.n::integer into v_found
  from unnest(v_window.hits) with ordinality h (hit, n)
  where private.rate_limit_slot(rule, h.hit) = private.rate_limit_slot(rule, at);
  if not found then
    return v_window;
  end if;

  v_window.totals := v_window.totals[:v_found]
    || array(select t.total - 1 from unnest(v_window.totals[v_found + 1:]) with ordinality t (total, n) order by t.n);
  if v_window.totals[v_found + 1] = v_window.totals[v_found] then
    v_window.hits := v_window.hits[:v_found - 1] || v_window.hits[v_found + 1:];
    v_window.totals := v_window.totals[:v_found] || v_window.totals[v_found + 2:];
  end if;
  return v_window;
end
$$;

ALTER FUNCTION private.uncount_hit(rate_limit platform.rate_limit, rule private.rate_limit_rule, at timestamp with time zone) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.uncount_hit(rate_limit platform.rate_limit, rule private.rate_limit_rule, at timestamp with time zone) IS 'A window without one request that was counted at that moment; unchanged where it holds none.
rate_limit: a row that the caller has locked. at: taken_at of the verdict that counted it.';

CREATE FUNCTION private.write_message(otp platform.otp_transaction, code text) RETURNS delivery.message
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_record jsonb := private.setting('OTP_PROVIDER');
  v_provider text := v_record ->> 'providerToUse';
  v_minutes_left numeric := extract(epoch from otp.expires_at - clock_timestamp()) / 60;
begin
  return row(
    otp.id,
    v_provider,
    coalesce(v_record -> v_provider, '{}'),
    otp.identifier,
    replace(replace(v_record ->> 'template', '{{minutes}}', greatest(1, round(v_minutes_left))::text), '{{code}}', code)
  )::delivery.message;
end
$$;

ALTER FUNCTION private.write_message(otp platform.otp_transaction, code text) OWNER TO latchkey_owner;

COMMENT ON FUNCTION private.write_message(otp platform.otp_transaction, code text) IS 'The SMS for a code, by the stored setting OTP_PROVIDER as it is now: provider, its options, and the template filled in
({{code}}; {{minutes}}: the time left, rounded).';

CREATE FUNCTION settings.check_configuration() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_fault text := private.setting_fault(new.key, new.value);
begin
  if v_fault is not null then
    raise exception '%: %', new.key, v_fault using errcode = 'check_violation', constraint = 'configuration_value_is_valid';
  end if;
  new.updated_at := clock_timestamp();
  return new;
end
$$;

ALTER FUNCTION settings.check_configuration() OWNER TO latchkey_owner;

COMMENT ON FUNCTION settings.check_configuration() IS 'Trigger of settings.configuration: refuses a value that private.setting_fault finds wrong, with a sentence, and keeps updated_at.';

CREATE FUNCTION settings.keep_setting_in_force() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  update private.setting_in_force f
  set value = d.default_value
  from private.setting_definition d
  where d.key = f.key and (tg_op = 'TRUNCATE' or d.key = old.key);

  update private.setting_in_force f set value = new.value where f.key = new.key;
  return null;
end
$$;

ALTER FUNCTION settings.keep_setting_in_force() OWNER TO latchkey_owner;

COMMENT ON FUNCTION settings.keep_setting_in_force() IS 'Trigger of settings.configuration: keeps private.setting_in_force, which everything reads. A row that is gone leaves the default.';

CREATE FUNCTION "user".complete_session() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_now timestamptz := clock_timestamp();
begin
  new.id := coalesce(new.id, private.new_id());
  new.user_type := coalesce(new.user_type, case when new.user_id is null then 'guest' else 'user' end);
  new.role := coalesce(new.role, new.user_type);
  new.access_token_id := coalesce(new.access_token_id, gen_random_uuid());
  new.refresh_token_id := coalesce(new.refresh_token_id, gen_random_uuid());
  select
    coalesce(new.access_token_expires_at, v_now + make_interval(secs => a.value::integer)),
    coalesce(new.refresh_token_expires_at, v_now + make_interval(secs => r.value::integer))
  into new.access_token_expires_at, new.refresh_token_expires_at
  from private.setting_in_force a, private.setting_in_force r
  where a.key = 'ACCESS_TOKEN_TTL_SECONDS' and r.key = 'REFRESH_TOKEN_TTL_SECONDS';
  return new;
end
$$;

ALTER FUNCTION "user".complete_session() OWNER TO latchkey_owner;

COMMENT ON FUNCTION "user".complete_session() IS 'Trigger of "user".session: gives a new session what its maker left out. One place says how a session begins.';

CREATE FUNCTION "user".keep_session_revoked() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  raise exception 'a revocation only ever moves forward' using errcode = 'check_violation', constraint = 'session_stays_revoked';
end
$$;

ALTER FUNCTION "user".keep_session_revoked() OWNER TO latchkey_owner;

COMMENT ON FUNCTION "user".keep_session_revoked() IS 'Trigger of "user".session: a session that is revoked stays revoked, whoever updates it.';

CREATE FUNCTION "user".notify_session_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  v_session "user".session := coalesce(new, old);
begin
  perform pg_notify('session_changed', json_build_object('session_id', v_session.id, 'user_id', v_session.user_id)::text);
  return null;
end
$$;

ALTER FUNCTION "user".notify_session_changed() OWNER TO latchkey_owner;

COMMENT ON FUNCTION "user".notify_session_changed() IS 'Trigger of "user".session: tells the subscribers of a session''s owner that there is something to read again. Ids only: what they
see they read under their own row-level security. Guest creation and refresh tell nobody, because NOTIFY makes commits queue up.';

CREATE FUNCTION "user".revoke_other_sessions() RETURNS SETOF "user".session
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  -- Locked in the order of their ids, as private.revoke_sessions_of_user does.
  with doomed as (
    select s.id from "user".session s
    where s.user_id = nullif(current_setting('latchkey.user_id', true), '')::uuid
      and s.id <> nullif(current_setting('latchkey.session_id', true), '')::uuid
      and s.revoked_at is null
    order by s.id
    for no key update
  )
  update "user".session s set revoked_at = clock_timestamp() from doomed where s.id = doomed.id
  returning s.*
$$;

ALTER FUNCTION "user".revoke_other_sessions() OWNER TO latchkey_owner;

COMMENT ON FUNCTION "user".revoke_other_sessions() IS 'Mutation revoke_other_sessions: a user ends all of its sessions but the one it asks with. Result: what was revoked.';

CREATE FUNCTION "user".revoke_session(id uuid) RETURNS "user".session
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  update "user".session s set revoked_at = clock_timestamp()
  where s.id = revoke_session.id
    and s.user_id = nullif(current_setting('latchkey.user_id', true), '')::uuid
    and s.revoked_at is null
  returning s.*
$$;

ALTER FUNCTION "user".revoke_session(id uuid) OWNER TO latchkey_owner;

COMMENT ON FUNCTION "user".revoke_session(id uuid) IS 'Mutation revoke_session: a user ends one of its own sessions, as logging out does. id: the session.
Result: what was revoked; null for somebody else''s session, and for one revoked before.';

CREATE TABLE migration.applied (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL
);

ALTER TABLE migration.applied OWNER TO latchkey_owner;

CREATE SEQUENCE migration.applied_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER TABLE migration.applied_id_seq OWNER TO latchkey_owner;

ALTER SEQUENCE migration.applied_id_seq OWNED BY migration.applied.id;

CREATE TABLE migration.fingerprint (
    name text NOT NULL,
    sha256 text NOT NULL
);

ALTER TABLE migration.fingerprint OWNER TO latchkey_owner;

CREATE TABLE private.environment_setting (
    key text NOT NULL,
    value jsonb NOT NULL
);

ALTER TABLE private.environment_setting OWNER TO latchkey_owner;

COMMENT ON TABLE private.environment_setting IS 'What the deployment''s environment wrote last, so that an operator''s later change by SQL is not undone by the next deployment.';

COMMENT ON COLUMN private.environment_setting.key IS 'Name of the setting';

COMMENT ON COLUMN private.environment_setting.value IS 'The value that the environment gave at the latest migration that wrote it';

CREATE TABLE private.granted_right (
    line text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE private.granted_right OWNER TO latchkey_owner;

COMMENT ON TABLE private.granted_right IS 'What private.rights_in_force listed at the end of the last migration: owners, grants to our roles, and policies. A restore into a cluster that lacks the roles loses all of that; processes and migrations then refuse to start. Delete the line of a right that you took away on purpose.';

COMMENT ON COLUMN private.granted_right.line IS 'One right, in words';

CREATE TABLE private.guess_count (
    identifier_type text NOT NULL,
    identifier text NOT NULL,
    purpose text NOT NULL,
    guesses integer NOT NULL,
    first_guess_at timestamp with time zone NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE private.guess_count OWNER TO latchkey_owner;

COMMENT ON TABLE private.guess_count IS 'Wrong codes for an identifier and purpose, whether or not there is a code: counted for OTP_TTL_SECONDS from the first one, or until a newer code is delivered.';

COMMENT ON COLUMN private.guess_count.identifier_type IS 'PHONE or EMAIL';

COMMENT ON COLUMN private.guess_count.identifier IS 'E.164, or a lower-cased email address';

COMMENT ON COLUMN private.guess_count.purpose IS 'Purpose of the codes that were tried';

COMMENT ON COLUMN private.guess_count.guesses IS 'Wrong codes since first_guess_at';

COMMENT ON COLUMN private.guess_count.first_guess_at IS 'When the first of them was tried';

CREATE TABLE private.installation (
    is_one boolean DEFAULT true NOT NULL,
    pepper_fingerprint bytea NOT NULL,
    CONSTRAINT installation_is_one CHECK (is_one)
);

ALTER TABLE private.installation OWNER TO latchkey_owner;

COMMENT ON TABLE private.installation IS 'One row: what the processes of this installation must share, so that a wrong secret stops a start instead of locking every user out.';

COMMENT ON COLUMN private.installation.is_one IS 'Limits the table to one row';

COMMENT ON COLUMN private.installation.pepper_fingerprint IS 'Derived from HASH_PEPPER (HKDF); the pepper cannot be computed from it. Delete the row to continue with another pepper: all passwords must then be reset';

CREATE TABLE private.known_client (
    account_id uuid NOT NULL,
    client text NOT NULL,
    logged_in_at timestamp with time zone NOT NULL
)
WITH (fillfactor='70');

ALTER TABLE private.known_client OWNER TO latchkey_owner;

COMMENT ON TABLE private.known_client IS 'Clients from which an account logged in: for private.known_client_lifetime() only LOGIN_FAILURES_PER_PHONE_AND_IP applies to them, so that strangers cannot lock the owner out.';

COMMENT ON COLUMN private.known_client.account_id IS 'The account that logged in';

COMMENT ON COLUMN private.known_client.client IS 'Client address, as limits count it';

COMMENT ON COLUMN private.known_client.logged_in_at IS 'When the account last logged in from it';

CREATE TABLE private.setting_definition (
    key text NOT NULL,
    kind text NOT NULL,
    default_value jsonb,
    minimum bigint,
    maximum bigint,
    description text NOT NULL,
    CONSTRAINT setting_definition_kind_is_known CHECK ((kind = ANY (ARRAY['integer'::text, 'integer or off'::text, 'limit'::text, 'limit or off'::text, 'provider'::text])))
);

ALTER TABLE private.setting_definition OWNER TO latchkey_owner;

COMMENT ON TABLE private.setting_definition IS 'Every setting that exists: its kind, default, bounds and meaning. An "integer" is a whole number within its bounds; a "limit" is text "requests/seconds"; "integer or off" and "limit or off" may also be "off".';

COMMENT ON COLUMN private.setting_definition.key IS 'Name of the setting, as in the environment';

COMMENT ON COLUMN private.setting_definition.kind IS 'Decides which values are valid: see private.setting_fault';

COMMENT ON COLUMN private.setting_definition.default_value IS 'In force where settings.configuration has no row; null: the setting has no default';

COMMENT ON COLUMN private.setting_definition.minimum IS 'Smallest valid integer; null for other kinds';

COMMENT ON COLUMN private.setting_definition.maximum IS 'Largest valid integer; null for other kinds';

COMMENT ON COLUMN private.setting_definition.description IS 'What the setting means, with its unit';

CREATE TABLE private.setting_in_force (
    key text NOT NULL,
    value jsonb
);

ALTER TABLE private.setting_in_force OWNER TO latchkey_owner;

COMMENT ON TABLE private.setting_in_force IS 'What every setting is now: the value in settings.configuration, else the default. Kept by the trigger keep_setting_in_force of settings.configuration; a migration that adds a setting, or changes a default, does so here too.';

COMMENT ON COLUMN private.setting_in_force.key IS 'Name of the setting';

COMMENT ON COLUMN private.setting_in_force.value IS 'The value in force; null: the setting has neither a value nor a default';

CREATE TABLE private.worker_heartbeat (
    worker text NOT NULL,
    at timestamp with time zone NOT NULL,
    can_send boolean NOT NULL
);

ALTER TABLE private.worker_heartbeat OWNER TO latchkey_owner;

COMMENT ON TABLE private.worker_heartbeat IS 'A row per worker, written every 10 seconds (delivery.heartbeat): shows that a worker runs, and whether it can send SMS. Read by api.check_readiness. Nothing else depends on it: rows may be deleted at any time.';

COMMENT ON COLUMN private.worker_heartbeat.worker IS 'Id of the worker''s pool: a new one at each start';

COMMENT ON COLUMN private.worker_heartbeat.at IS 'When the worker wrote last';

COMMENT ON COLUMN private.worker_heartbeat.can_send IS 'Whether it could send SMS then, by the provider that OTP_PROVIDER named';

CREATE TABLE settings.configuration (
    key text NOT NULL,
    value jsonb NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE settings.configuration OWNER TO latchkey_owner;

COMMENT ON TABLE settings.configuration IS 'The settings in force. A change takes effect at the next request; a deleted row falls back to its default.';

COMMENT ON COLUMN settings.configuration.key IS 'Name of the setting: a key of private.setting_definition';

COMMENT ON COLUMN settings.configuration.value IS 'The value in force; checked when it is written';

COMMENT ON COLUMN settings.configuration.updated_at IS 'When the value was written';

ALTER TABLE ONLY migration.applied ALTER COLUMN id SET DEFAULT nextval('migration.applied_id_seq'::regclass);

ALTER TABLE ONLY migration.applied
    ADD CONSTRAINT applied_pkey PRIMARY KEY (id);

ALTER TABLE ONLY migration.fingerprint
    ADD CONSTRAINT fingerprint_pkey PRIMARY KEY (name);

ALTER TABLE ONLY platform.otp_transaction
    ADD CONSTRAINT otp_transaction_pkey PRIMARY KEY (id);

ALTER TABLE ONLY platform.rate_limit
    ADD CONSTRAINT rate_limit_pkey PRIMARY KEY (key);

ALTER TABLE ONLY private.environment_setting
    ADD CONSTRAINT environment_setting_pkey PRIMARY KEY (key);

ALTER TABLE ONLY private.granted_right
    ADD CONSTRAINT granted_right_pkey PRIMARY KEY (line);

ALTER TABLE ONLY private.guess_count
    ADD CONSTRAINT guess_count_pkey PRIMARY KEY (identifier_type, identifier, purpose);

ALTER TABLE ONLY private.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (is_one);

ALTER TABLE ONLY private.known_client
    ADD CONSTRAINT known_client_pkey PRIMARY KEY (account_id, client);

ALTER TABLE ONLY private.pending_registration
    ADD CONSTRAINT pending_registration_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY private.setting_definition
    ADD CONSTRAINT setting_definition_pkey PRIMARY KEY (key);

ALTER TABLE ONLY private.setting_in_force
    ADD CONSTRAINT setting_in_force_pkey PRIMARY KEY (key);

ALTER TABLE ONLY private.verification_state
    ADD CONSTRAINT verification_state_pkey PRIMARY KEY (identifier_type, identifier);

ALTER TABLE ONLY private.worker_heartbeat
    ADD CONSTRAINT worker_heartbeat_pkey PRIMARY KEY (worker);

ALTER TABLE ONLY settings.configuration
    ADD CONSTRAINT configuration_pkey PRIMARY KEY (key);

ALTER TABLE ONLY "user".account
    ADD CONSTRAINT account_phone_is_unique UNIQUE (phone);

ALTER TABLE ONLY "user".account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY "user".session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);

CREATE INDEX otp_transaction_created_at ON platform.otp_transaction USING btree (created_at);

CREATE INDEX otp_transaction_current ON platform.otp_transaction USING btree (identifier, purpose, current_since DESC) WHERE (current_since IS NOT NULL);

CREATE INDEX otp_transaction_identifier ON platform.otp_transaction USING btree (identifier, created_at);

CREATE INDEX known_client_client ON private.known_client USING btree (client);

CREATE INDEX pending_registration_phone ON private.pending_registration USING btree (phone, registered_at DESC);

CREATE INDEX pending_registration_registered_at ON private.pending_registration USING btree (registered_at);

CREATE INDEX account_password_cost ON "user".account USING btree (substr(password_hash, 5, 2)) WHERE (password_hash IS NOT NULL);

CREATE INDEX session_user_id ON "user".session USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE TRIGGER keep_otp_transaction_spent BEFORE UPDATE OF attempts, verified_at ON platform.otp_transaction FOR EACH ROW WHEN (((new.attempts < old.attempts) OR ((old.verified_at IS NOT NULL) AND ((new.verified_at IS NULL) OR (new.verified_at < old.verified_at))))) EXECUTE FUNCTION platform.keep_otp_transaction_spent();

CREATE TRIGGER check_configuration BEFORE INSERT OR UPDATE ON settings.configuration FOR EACH ROW EXECUTE FUNCTION settings.check_configuration();

CREATE TRIGGER keep_setting_in_force AFTER INSERT OR DELETE OR UPDATE ON settings.configuration FOR EACH ROW EXECUTE FUNCTION settings.keep_setting_in_force();

CREATE TRIGGER keep_setting_in_force_when_emptied AFTER TRUNCATE ON settings.configuration FOR EACH STATEMENT EXECUTE FUNCTION settings.keep_setting_in_force();

CREATE TRIGGER complete_session BEFORE INSERT ON "user".session FOR EACH ROW EXECUTE FUNCTION "user".complete_session();

CREATE TRIGGER keep_session_revoked BEFORE UPDATE OF revoked_at ON "user".session FOR EACH ROW WHEN (((old.revoked_at IS NOT NULL) AND ((new.revoked_at IS NULL) OR (new.revoked_at < old.revoked_at)))) EXECUTE FUNCTION "user".keep_session_revoked();

CREATE TRIGGER notify_session_deleted AFTER DELETE ON "user".session FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (old.refresh_token_expires_at > clock_timestamp()))) EXECUTE FUNCTION "user".notify_session_changed();

CREATE TRIGGER notify_session_opened AFTER INSERT ON "user".session FOR EACH ROW WHEN ((new.user_id IS NOT NULL)) EXECUTE FUNCTION "user".notify_session_changed();

CREATE TRIGGER notify_session_revoked AFTER UPDATE OF revoked_at ON "user".session FOR EACH ROW WHEN ((new.revoked_at IS DISTINCT FROM old.revoked_at)) EXECUTE FUNCTION "user".notify_session_changed();

ALTER TABLE ONLY private.environment_setting
    ADD CONSTRAINT environment_setting_key_fkey FOREIGN KEY (key) REFERENCES private.setting_definition(key);

ALTER TABLE ONLY private.known_client
    ADD CONSTRAINT known_client_account_id_fkey FOREIGN KEY (account_id) REFERENCES "user".account(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.setting_in_force
    ADD CONSTRAINT setting_in_force_key_fkey FOREIGN KEY (key) REFERENCES private.setting_definition(key) ON DELETE CASCADE;

ALTER TABLE ONLY settings.configuration
    ADD CONSTRAINT configuration_key_is_known FOREIGN KEY (key) REFERENCES private.setting_definition(key);

ALTER TABLE ONLY "user".session
    ADD CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user".account(id) ON DELETE CASCADE;

ALTER TABLE migration.applied ENABLE ROW LEVEL SECURITY;

ALTER TABLE migration.fingerprint ENABLE ROW LEVEL SECURITY;

CREATE POLICY "a guest has no one-time passwords" ON platform.otp_transaction FOR SELECT TO latchkey_guest USING ((identifier = ( SELECT NULL::text AS text)));

CREATE POLICY "a user sees the codes sent to its phone since it was verified" ON platform.otp_transaction FOR SELECT TO latchkey_user USING (((identifier = ( SELECT a.phone
   FROM "user".account a
  WHERE (a.id = ( SELECT (NULLIF(current_setting('latchkey.user_id'::text, true), ''::text))::uuid AS "nullif")))) AND (created_at >= ( SELECT a.phone_verified_at
   FROM "user".account a
  WHERE (a.id = ( SELECT (NULLIF(current_setting('latchkey.user_id'::text, true), ''::text))::uuid AS "nullif"))))));

ALTER TABLE platform.otp_transaction ENABLE ROW LEVEL SECURITY;

ALTER TABLE platform.rate_limit ENABLE ROW LEVEL SECURITY;

CREATE POLICY "the admin deletes any one-time password" ON platform.otp_transaction FOR DELETE TO latchkey_admin USING (true);

CREATE POLICY "the admin deletes any rate limit" ON platform.rate_limit FOR DELETE TO latchkey_admin USING (true);

CREATE POLICY "the admin sees every one-time password" ON platform.otp_transaction FOR SELECT TO latchkey_admin USING (true);

CREATE POLICY "the admin sees every rate limit" ON platform.rate_limit FOR SELECT TO latchkey_admin USING (true);

ALTER TABLE private.environment_setting ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.granted_right ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.guess_count ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.installation ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.known_client ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.pending_registration ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.setting_definition ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.setting_in_force ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.verification_state ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.worker_heartbeat ENABLE ROW LEVEL SECURITY;

ALTER TABLE settings.configuration ENABLE ROW LEVEL SECURITY;

CREATE POLICY "the admin manages the configuration" ON settings.configuration TO latchkey_admin USING (true) WITH CHECK (true);

CREATE POLICY "a guest has no account" ON "user".account FOR SELECT TO latchkey_guest USING ((id = ( SELECT NULL::uuid AS uuid)));

CREATE POLICY "a guest sees its own session" ON "user".session FOR SELECT TO latchkey_guest USING ((id = ( SELECT (NULLIF(current_setting('latchkey.session_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "a user sees its own account" ON "user".account FOR SELECT TO latchkey_user USING ((id = ( SELECT (NULLIF(current_setting('latchkey.user_id'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY "a user sees its own sessions" ON "user".session FOR SELECT TO latchkey_user USING ((user_id = ( SELECT (NULLIF(current_setting('latchkey.user_id'::text, true), ''::text))::uuid AS "nullif")));

ALTER TABLE "user".account ENABLE ROW LEVEL SECURITY;

ALTER TABLE "user".session ENABLE ROW LEVEL SECURITY;

CREATE POLICY "the admin changes any account's email" ON "user".account FOR UPDATE TO latchkey_admin USING (true) WITH CHECK (true);

CREATE POLICY "the admin deletes any account" ON "user".account FOR DELETE TO latchkey_admin USING (true);

CREATE POLICY "the admin deletes any session" ON "user".session FOR DELETE TO latchkey_admin USING (true);

CREATE POLICY "the admin opens any session" ON "user".session FOR INSERT TO latchkey_admin WITH CHECK (true);

CREATE POLICY "the admin revokes any session" ON "user".session FOR UPDATE TO latchkey_admin USING (true) WITH CHECK (true);

CREATE POLICY "the admin sees every account" ON "user".account FOR SELECT TO latchkey_admin USING (true);

CREATE POLICY "the admin sees every session" ON "user".session FOR SELECT TO latchkey_admin USING (true);

GRANT USAGE ON SCHEMA api TO latchkey_server;

GRANT USAGE ON SCHEMA delivery TO latchkey_worker;

GRANT USAGE ON SCHEMA platform TO latchkey_guest;
GRANT USAGE ON SCHEMA platform TO latchkey_user;
GRANT USAGE ON SCHEMA platform TO latchkey_admin;

GRANT USAGE ON SCHEMA settings TO latchkey_admin;

GRANT USAGE ON SCHEMA "user" TO latchkey_guest;
GRANT USAGE ON SCHEMA "user" TO latchkey_user;
GRANT USAGE ON SCHEMA "user" TO latchkey_admin;

REVOKE ALL ON FUNCTION api.authorize(session_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION api.authorize(session_id uuid) TO latchkey_server;

REVOKE ALL ON FUNCTION api.check_health() FROM PUBLIC;
GRANT ALL ON FUNCTION api.check_health() TO latchkey_server;

REVOKE ALL ON FUNCTION api.check_pepper(fingerprint bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION api.check_pepper(fingerprint bytea) TO latchkey_server;

REVOKE ALL ON FUNCTION api.check_readiness(migration text) FROM PUBLIC;
GRANT ALL ON FUNCTION api.check_readiness(migration text) TO latchkey_server;

REVOKE ALL ON FUNCTION api.create_guest_session(client text) FROM PUBLIC;
GRANT ALL ON FUNCTION api.create_guest_session(client text) TO latchkey_server;

REVOKE ALL ON FUNCTION api.installed_migration() FROM PUBLIC;
GRANT ALL ON FUNCTION api.installed_migration() TO latchkey_server;

REVOKE ALL ON FUNCTION api.log_in(phone text, password_prehash text, client text) FROM PUBLIC;
GRANT ALL ON FUNCTION api.log_in(phone text, password_prehash text, client text) TO latchkey_server;

REVOKE ALL ON FUNCTION api.log_out(session_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION api.log_out(session_id uuid) TO latchkey_server;

REVOKE ALL ON FUNCTION api.missing_rights() FROM PUBLIC;
GRANT ALL ON FUNCTION api.missing_rights() TO latchkey_server;

REVOKE ALL ON FUNCTION api.refresh_session(session_id uuid, refresh_token_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION api.refresh_session(session_id uuid, refresh_token_id uuid) TO latchkey_server;

REVOKE ALL ON FUNCTION api.register(phone text, email text, password_prehash text, password_length integer, password_is_common boolean, client text) FROM PUBLIC;
GRANT ALL ON FUNCTION api.register(phone text, email text, password_prehash text, password_length integer, password_is_common boolean, client text) TO latchkey_server;

REVOKE ALL ON FUNCTION api.request_password_reset(phone text, client text) FROM PUBLIC;
GRANT ALL ON FUNCTION api.request_password_reset(phone text, client text) TO latchkey_server;

REVOKE ALL ON FUNCTION api.reset_password(phone text, otp text, code_key bytea, password_prehash text, password_length integer, password_is_common boolean, client text) FROM PUBLIC;
GRANT ALL ON FUNCTION api.reset_password(phone text, otp text, code_key bytea, password_prehash text, password_length integer, password_is_common boolean, client text) TO latchkey_server;

REVOKE ALL ON FUNCTION api.send_otp(identifier text, identifier_type text, purpose text, client text, code_key bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION api.send_otp(identifier text, identifier_type text, purpose text, client text, code_key bytea) TO latchkey_server;

REVOKE ALL ON FUNCTION api.settle_otp_send(otp_id uuid, deadline_reached boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION api.settle_otp_send(otp_id uuid, deadline_reached boolean) TO latchkey_server;

REVOKE ALL ON FUNCTION api.verify_registration(phone text, otp text, code_key bytea, client text, user_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION api.verify_registration(phone text, otp text, code_key bytea, client text, user_id uuid) TO latchkey_server;

REVOKE ALL ON FUNCTION delivery.check_pepper(fingerprint bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION delivery.check_pepper(fingerprint bytea) TO latchkey_worker;

REVOKE ALL ON FUNCTION delivery.clean_up(step integer, page bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION delivery.clean_up(step integer, page bigint) TO latchkey_worker;

REVOKE ALL ON FUNCTION delivery.heartbeat(worker text, can_send boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION delivery.heartbeat(worker text, can_send boolean) TO latchkey_worker;

REVOKE ALL ON FUNCTION delivery.installed_migration() FROM PUBLIC;
GRANT ALL ON FUNCTION delivery.installed_migration() TO latchkey_worker;

REVOKE ALL ON FUNCTION delivery.issue_otp_code(otp_id uuid, code_key bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION delivery.issue_otp_code(otp_id uuid, code_key bytea) TO latchkey_worker;

REVOKE ALL ON FUNCTION delivery.missing_rights() FROM PUBLIC;
GRANT ALL ON FUNCTION delivery.missing_rights() TO latchkey_worker;

REVOKE ALL ON FUNCTION delivery.provider_in_use() FROM PUBLIC;
GRANT ALL ON FUNCTION delivery.provider_in_use() TO latchkey_worker;

REVOKE ALL ON FUNCTION delivery.record_delivery(otp_id uuid, outcome text) FROM PUBLIC;
GRANT ALL ON FUNCTION delivery.record_delivery(otp_id uuid, outcome text) TO latchkey_worker;

REVOKE ALL ON FUNCTION delivery.unlock_dead_workers() FROM PUBLIC;
GRANT ALL ON FUNCTION delivery.unlock_dead_workers() TO latchkey_worker;

REVOKE ALL ON FUNCTION platform.keep_otp_transaction_spent() FROM PUBLIC;

GRANT DELETE ON TABLE "user".account TO latchkey_admin;

GRANT SELECT(id) ON TABLE "user".account TO latchkey_guest;
GRANT SELECT(id) ON TABLE "user".account TO latchkey_user;
GRANT SELECT(id) ON TABLE "user".account TO latchkey_admin;

GRANT SELECT(phone) ON TABLE "user".account TO latchkey_guest;
GRANT SELECT(phone) ON TABLE "user".account TO latchkey_user;
GRANT SELECT(phone) ON TABLE "user".account TO latchkey_admin;

GRANT SELECT(email) ON TABLE "user".account TO latchkey_guest;
GRANT SELECT(email) ON TABLE "user".account TO latchkey_user;
GRANT SELECT(email),UPDATE(email) ON TABLE "user".account TO latchkey_admin;

GRANT SELECT(phone_verified_at) ON TABLE "user".account TO latchkey_guest;
GRANT SELECT(phone_verified_at) ON TABLE "user".account TO latchkey_user;
GRANT SELECT(phone_verified_at) ON TABLE "user".account TO latchkey_admin;

GRANT SELECT(created_at) ON TABLE "user".account TO latchkey_guest;
GRANT SELECT(created_at) ON TABLE "user".account TO latchkey_user;
GRANT SELECT(created_at) ON TABLE "user".account TO latchkey_admin;

GRANT SELECT(updated_at) ON TABLE "user".account TO latchkey_guest;
GRANT SELECT(updated_at) ON TABLE "user".account TO latchkey_user;
GRANT SELECT(updated_at) ON TABLE "user".account TO latchkey_admin;

REVOKE ALL ON FUNCTION private.admit_login(account "user".account, password_prehash text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.block_failures(answer api.otp_answer, state private.verification_state, by_known_client boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.check_otp(identifier_type text, identifier text, purpose text, code text, code_key bytea, client text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.check_pepper(fingerprint bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.clean_up_guess_counts(first_page bigint, end_page bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.clean_up_known_clients(first_page bigint, end_page bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.clean_up_otp_transactions(first_page bigint, end_page bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.clean_up_pending_registrations(first_page bigint, end_page bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.clean_up_rate_limits(first_page bigint, end_page bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.clean_up_sessions(first_page bigint, end_page bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.clean_up_verification_states(first_page bigint, end_page bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.clear_login_limits(phone text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.compare_code(identifier_type text, identifier text, purpose text, code text, code_key bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.compare_password(password_prehash text, password_hash text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.confirm_registration(registration private.pending_registration) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.consume_otp(otp_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.count_failure(identifier_type text, identifier text, by_known_client boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.count_guess(identifier_type text, identifier text, purpose text, client text) FROM PUBLIC;

GRANT SELECT,DELETE ON TABLE platform.rate_limit TO latchkey_admin;

REVOKE ALL ON FUNCTION private.count_hit(rate_limit platform.rate_limit, rule private.rate_limit_rule, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.count_login(rules private.rate_limit_rule[], phone text, password_is_right boolean, by_known_client boolean) FROM PUBLIC;

GRANT DELETE ON TABLE platform.otp_transaction TO latchkey_admin;

GRANT SELECT(id) ON TABLE platform.otp_transaction TO latchkey_guest;
GRANT SELECT(id) ON TABLE platform.otp_transaction TO latchkey_user;
GRANT SELECT(id) ON TABLE platform.otp_transaction TO latchkey_admin;

GRANT SELECT(identifier) ON TABLE platform.otp_transaction TO latchkey_guest;
GRANT SELECT(identifier) ON TABLE platform.otp_transaction TO latchkey_user;
GRANT SELECT(identifier) ON TABLE platform.otp_transaction TO latchkey_admin;

GRANT SELECT(identifier_type) ON TABLE platform.otp_transaction TO latchkey_guest;
GRANT SELECT(identifier_type) ON TABLE platform.otp_transaction TO latchkey_user;
GRANT SELECT(identifier_type) ON TABLE platform.otp_transaction TO latchkey_admin;

GRANT SELECT(purpose) ON TABLE platform.otp_transaction TO latchkey_guest;
GRANT SELECT(purpose) ON TABLE platform.otp_transaction TO latchkey_user;
GRANT SELECT(purpose) ON TABLE platform.otp_transaction TO latchkey_admin;

GRANT SELECT(attempts) ON TABLE platform.otp_transaction TO latchkey_guest;
GRANT SELECT(attempts) ON TABLE platform.otp_transaction TO latchkey_user;
GRANT SELECT(attempts) ON TABLE platform.otp_transaction TO latchkey_admin;

GRANT SELECT(created_at) ON TABLE platform.otp_transaction TO latchkey_guest;
GRANT SELECT(created_at) ON TABLE platform.otp_transaction TO latchkey_user;
GRANT SELECT(created_at) ON TABLE platform.otp_transaction TO latchkey_admin;

GRANT SELECT(expires_at) ON TABLE platform.otp_transaction TO latchkey_guest;
GRANT SELECT(expires_at) ON TABLE platform.otp_transaction TO latchkey_user;
GRANT SELECT(expires_at) ON TABLE platform.otp_transaction TO latchkey_admin;

GRANT SELECT(verified_at) ON TABLE platform.otp_transaction TO latchkey_guest;
GRANT SELECT(verified_at) ON TABLE platform.otp_transaction TO latchkey_user;
GRANT SELECT(verified_at) ON TABLE platform.otp_transaction TO latchkey_admin;

REVOKE ALL ON FUNCTION private.current_otp(identifier_type text, identifier text, purpose text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.decoy_hash(phone text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.decoy_salt(cost integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.delivery_is_over(otp platform.otp_transaction) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.error(code text, details jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.failures_are_spent(failures integer, failed_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.give_back_send(otp_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.guesses_are_spent(identifier_type text, identifier text, purpose text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.hash_code(otp_id uuid, code text, code_key bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.hash_password(password_prehash text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.hash_registration_password(phone text, password_prehash text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.installed_migration() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.integer_fault(value jsonb, minimum bigint, maximum bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_known_client(phone text, client text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.is_loopback(client text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.known_client_lifetime() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.limit_fault(value jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.live_registrations(phone text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.lock_verification_state(identifier_type text, identifier text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.login_failure_rules(phone text, client text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.login_rules(phone text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.look_at_rate_limits(rules private.rate_limit_rule[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.make_code(length integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.may_be_sent(otp platform.otp_transaction) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.missing_rights() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.new_id() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.next_failure(failures integer, failed_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.open_session(user_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.password_cost(password_hash text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.password_error(field text, password_length integer, password_is_common boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.provider_fault(value jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.queue_otp(identifier text, purpose text, awaited boolean, counted_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.rate_limit_error(verdict private.rate_limit_verdict) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.rate_limit_retention() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.rate_limit_rule(setting_key text, subject text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.rate_limit_slot(rule private.rate_limit_rule, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.refuse_login(rules private.rate_limit_rule[], client text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.registration_lifetime() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.registration_salt(phone text, cost integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.registration_to_confirm(phone text, user_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.remember_client(account_id uuid, client text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.remember_rights() FROM PUBLIC;

REVOKE ALL ON FUNCTION private.replace_password(phone text, password_prehash text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.revoke_session(session_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.revoke_sessions_of_user(user_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.rights_in_force() FROM PUBLIC;

GRANT DELETE ON TABLE "user".session TO latchkey_admin;

GRANT SELECT(id) ON TABLE "user".session TO latchkey_guest;
GRANT SELECT(id) ON TABLE "user".session TO latchkey_user;
GRANT SELECT(id) ON TABLE "user".session TO latchkey_admin;

GRANT SELECT(user_id) ON TABLE "user".session TO latchkey_guest;
GRANT SELECT(user_id) ON TABLE "user".session TO latchkey_user;
GRANT SELECT(user_id),INSERT(user_id) ON TABLE "user".session TO latchkey_admin;

GRANT SELECT(user_type) ON TABLE "user".session TO latchkey_guest;
GRANT SELECT(user_type) ON TABLE "user".session TO latchkey_user;
GRANT SELECT(user_type) ON TABLE "user".session TO latchkey_admin;

GRANT SELECT(role) ON TABLE "user".session TO latchkey_guest;
GRANT SELECT(role) ON TABLE "user".session TO latchkey_user;
GRANT SELECT(role) ON TABLE "user".session TO latchkey_admin;

GRANT SELECT(access_token_expires_at) ON TABLE "user".session TO latchkey_guest;
GRANT SELECT(access_token_expires_at) ON TABLE "user".session TO latchkey_user;
GRANT SELECT(access_token_expires_at) ON TABLE "user".session TO latchkey_admin;

GRANT SELECT(refresh_token_expires_at) ON TABLE "user".session TO latchkey_guest;
GRANT SELECT(refresh_token_expires_at) ON TABLE "user".session TO latchkey_user;
GRANT SELECT(refresh_token_expires_at) ON TABLE "user".session TO latchkey_admin;

GRANT SELECT(created_at) ON TABLE "user".session TO latchkey_guest;
GRANT SELECT(created_at) ON TABLE "user".session TO latchkey_user;
GRANT SELECT(created_at) ON TABLE "user".session TO latchkey_admin;

GRANT SELECT(revoked_at) ON TABLE "user".session TO latchkey_guest;
GRANT SELECT(revoked_at) ON TABLE "user".session TO latchkey_user;
GRANT SELECT(revoked_at),UPDATE(revoked_at) ON TABLE "user".session TO latchkey_admin;

REVOKE ALL ON FUNCTION private.rotate_session(session "user".session) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.session_answer(session "user".session) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.session_error(session "user".session) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.setting(key text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.setting_fault(key text, value jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.setting_integer(key text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.setting_seconds(key text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.settle_delivery(otp platform.otp_transaction, outcome text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.store_email_otp(identifier text, purpose text, counted_at timestamp with time zone, code_key bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.store_registration(user_id uuid, phone text, email text, password_hash text) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.take_rate_limits(rules private.rate_limit_rule[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.uncount_hit(rate_limit platform.rate_limit, rule private.rate_limit_rule, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION private.write_message(otp platform.otp_transaction, code text) FROM PUBLIC;

REVOKE ALL ON FUNCTION settings.check_configuration() FROM PUBLIC;

REVOKE ALL ON FUNCTION settings.keep_setting_in_force() FROM PUBLIC;

REVOKE ALL ON FUNCTION "user".complete_session() FROM PUBLIC;

REVOKE ALL ON FUNCTION "user".keep_session_revoked() FROM PUBLIC;

REVOKE ALL ON FUNCTION "user".notify_session_changed() FROM PUBLIC;

REVOKE ALL ON FUNCTION "user".revoke_other_sessions() FROM PUBLIC;
GRANT ALL ON FUNCTION "user".revoke_other_sessions() TO latchkey_user;

REVOKE ALL ON FUNCTION "user".revoke_session(id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION "user".revoke_session(id uuid) TO latchkey_user;

GRANT SELECT,DELETE ON TABLE settings.configuration TO latchkey_admin;

GRANT INSERT(key) ON TABLE settings.configuration TO latchkey_admin;

GRANT INSERT(value),UPDATE(value) ON TABLE settings.configuration TO latchkey_admin;
