-- The times and bounds that more than one function must agree on. Each is a function of one literal and has no test of
-- its own: the tests of the functions that use it prove what it does.

-- Codes and registrations

create or replace function private.failures_block() returns interval
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select interval '1 day' $$;
comment on function private.failures_block() is
$$How long OTP_FAILURES_IN_A_ROW wrong codes in a row block verification, from the latest one on.$$;

create or replace function private.verification_state_lifetime() returns interval
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select interval '30 days' $$;
comment on function private.verification_state_lifetime() is
$$How long after the latest one wrong codes in a row are kept.$$;

create or replace function private.registration_lifetime() returns interval
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select interval '24 hours' $$;
comment on function private.registration_lifetime() is
$$How long a registration waits for its verification.$$;

create or replace function private.known_client_lifetime() returns interval
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select interval '30 days' $$;
comment on function private.known_client_lifetime() is
$$How long a client from which an account logged in stays known.$$;

-- Second factors

create or replace function private.challenge_lifetime() returns interval
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select interval '5 minutes' $$;
comment on function private.challenge_lifetime() is
$$How long a second factor may take to answer a challenge.$$;

create or replace function private.enrolment_lifetime() returns interval
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select interval '1 hour' $$;
comment on function private.enrolment_lifetime() is
$$How long a second factor waits for its first code.$$;

create or replace function private.most_factor_failures() returns integer
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select 100 $$;
comment on function private.most_factor_failures() is
$$How many wrong answers in a row lock the second factors of an account (NIST SP 800-63B-4, section 3.2.2).$$;

create or replace function private.recovery_code_length() returns integer
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select 10 $$;
comment on function private.recovery_code_length() is
$$Characters of a recovery code, of 5 bits each.$$;

create or replace function private.recovery_alphabet() returns text
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select '0123456789ABCDEFGHJKMNPQRSTVWXYZ' $$;
comment on function private.recovery_alphabet() is
$$The 32 characters of recovery codes.$$;

-- Sending

create or replace function private.heartbeat_lifetime() returns interval
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select interval '30 seconds' $$;
comment on function private.heartbeat_lifetime() is
$$How long a worker counts as alive after a heartbeat. It writes one every 10 seconds, so it may miss two.$$;

create or replace function private.longest_template() returns integer
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select 1000 $$;
comment on function private.longest_template() is
$$The most characters of a text in OTP_PROVIDER, with a code or without one, before its placeholders are replaced.$$;

create or replace function private.longest_language_tag() returns integer
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select 35 $$;
comment on function private.longest_language_tag() is
$$The most characters of a language tag, in a request or in OTP_PROVIDER: what RFC 5646, section 4.4.1, tells everybody to provide for.$$;

create or replace function private.most_texts() returns integer
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select 200 $$;
comment on function private.most_texts() is
$$How many texts, or ids of texts in one option, OTP_PROVIDER may have.$$;

create or replace function private.notice_purposes() returns text[]
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select array['PHONE_CHANGED', 'PHONE_CHANGE_DUE', 'EMAIL_CHANGED', 'FACTORS_CHANGED', 'INVITATION'] $$;
comment on function private.notice_purposes() is
$$The purposes of notices: messages without a code, which tell a person of a change of the account, or of an invitation.$$;

create or replace function private.text_purposes() returns text[]
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select array['LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'EMAIL_CHANGE', 'PHONE_CHANGED', 'PHONE_CHANGE_DUE', 'EMAIL_CHANGED', 'FACTORS_CHANGED', 'INVITATION', 'default']
$$;
comment on function private.text_purposes() is
$$The purposes by which OTP_PROVIDER has texts and vendors' ids of them: those of codes and notices, and default.$$;

create or replace function private.proof_lifetime() returns interval
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select interval '10 minutes' $$;
comment on function private.proof_lifetime() is
$$How long a used proof of a captcha is remembered: twice as long as any provider of SEND_PROOF_PROVIDER verifies one.$$;

-- Events

create or replace function private.event_types() returns text[]
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select array[
    'account.registered', 'account.verified', 'account.invited', 'account.restored', 'account.disabled', 'account.enabled', 'account.deleted',
    'account.erased', 'email.changed', 'email.removed', 'factor.added', 'factor.removed', 'factor.locked', 'factor.unlocked', 'recovery_codes.made',
    'password.changed', 'password.reset', 'phone.changed', 'phone.change_delayed', 'phone.change_stopped', 'session.opened', 'session.refreshed',
    'session.revoked', 'session.reuse_detected', 'guest.promoted', 'login.refused', 'otp.sent', 'otp.send_failed', 'otp.refused', 'otp.blocked',
    'limit.exceeded', 'setting.changed', 'admin.acted'
  ]
$$;
comment on function private.event_types() is
$$The types of events, all of them: private.record_event refuses every other one.$$;

create or replace function private.refusal_types() returns text[]
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select array[
    'login.refused', 'otp.refused', 'otp.blocked', 'otp.send_failed', 'limit.exceeded', 'session.reuse_detected', 'factor.locked'
  ]
$$;
comment on function private.refusal_types() is
$$The types of events that tell why a request was refused: they have its id, by which platform.explain_refusal finds them.$$;

create or replace function private.event_delivery_period() returns interval
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select interval '1 day' $$;
comment on function private.event_delivery_period() is
$$For how long an event is tried to be sent to a subscription, from when it was queued.$$;

create or replace function private.most_events_waiting() returns integer
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select 100000 $$;
comment on function private.most_events_waiting() is
$$How many events may wait for one subscription.$$;

-- Fraud rules

create or replace function fraud.recent_period() returns interval
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select interval '24 hours' $$;
comment on function fraud.recent_period() is
$$The period before now for which the fraud rules count all sends and the unverified ones.$$;

create or replace function fraud.usual_days() returns integer
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$ select 14 $$;
comment on function fraud.usual_days() is
$$The number of days before today whose mean the fraud rules take for a usual day. SEND_DECISION_RETENTION_DAYS is at least one more.$$;
