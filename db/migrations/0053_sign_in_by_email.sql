-- Signing in by a verified email, and coming back by it when the phone is lost.
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('EMAIL_SIGN_IN', 'on or off', '"off"', null, null,
   'Whether a verified email signs in and resets in place of the phone; needs EMAIL_DELIVERY'),
  ('PHONE_RECOVERY_BY_EMAIL', 'on or off', '"off"', null, null,
   'Whether a session that a code by email opened may change the phone without the password; needs EMAIL_SIGN_IN'),
  ('RECOVERY_DELAY_SECONDS', 'integer', '259200', 0, 2592000,
   'How long such a change of phone waits, while the old phone and all sessions may stop it; 0: not at all');
insert into settings.configuration (key, value) values
  ('EMAIL_SIGN_IN', '"off"'), ('PHONE_RECOVERY_BY_EMAIL', '"off"'), ('RECOVERY_DELAY_SECONDS', '259200');

-- Which account's cost and scheme a login to an unknown email takes over (private.decoy_password): as account_decoy, for emails.
create index account_email_decoy on "user".account (substr(sha256(uuid_send(id)), 1, 8))
  where password_hash is not null and email_verified_at is not null;

comment on type private.password_attempt is
  'A password that somebody types. phone: E.164 of the account, which failures count against; where there is none, the phone or email that was '
  'typed. client: address as limits count it. password_prehash: the server''s keyed pre-hash. foreign_prehash: the keyed pre-hash of its hash '
  'under the parameters of an imported one, once the server was asked for it (private.foreign_prehash_error); else null';

create table private.phone_recovery (
  account_id uuid primary key references "user".account (id) on delete cascade,
  phone text not null constraint phone_recovery_phone_is_e164 check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  session_id uuid not null,
  asked_at timestamptz not null,
  due_at timestamptz not null
);
comment on table private.phone_recovery is
  'A change of phone that a session asked for without the password, because a code by email had opened it (PHONE_RECOVERY_BY_EMAIL). One of an account.';
comment on column private.phone_recovery.account_id is 'The account whose phone is to change';
comment on column private.phone_recovery.phone is 'E.164: the new phone';
comment on column private.phone_recovery.session_id is 'The session that asked for it, which stays when the phone changes';
comment on column private.phone_recovery.asked_at is 'When the code of the new phone was typed';
comment on column private.phone_recovery.due_at is
  'From then on the first sign-in, or the clean-up, changes the phone';
alter table private.phone_recovery enable row level security;
-- Every sign-in looks for those that are due, and so does the clean-up.
create index phone_recovery_due_at on private.phone_recovery (due_at);

alter table platform.otp_transaction
  drop constraint otp_transaction_purpose_is_known,
  add constraint otp_transaction_purpose_is_known check (
    purpose in (
      'LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'PHONE_RECOVERY', 'PHONE_CHANGED', 'PHONE_CHANGE_DUE', 'EMAIL_CHANGE',
      'EMAIL_CHANGED', 'INVITATION', 'TEST'
    )
  ),
  drop constraint otp_transaction_of_a_change_has_an_account,
  add constraint otp_transaction_of_a_change_has_an_account check (
    (account_id is not null) = (
      purpose in ('PHONE_CHANGE', 'PHONE_RECOVERY', 'PHONE_CHANGED', 'PHONE_CHANGE_DUE', 'EMAIL_CHANGE', 'EMAIL_CHANGED')
    )
  );
comment on column platform.otp_transaction.purpose is
  'LOGIN, SIGNUP or PASSWORD_RESET: a code verifies nothing else. Internal ones: PHONE_CHANGE, PHONE_RECOVERY (asked for without the '
  'password) and EMAIL_CHANGE, a code for the account in account_id; PHONE_CHANGED, PHONE_CHANGE_DUE, EMAIL_CHANGED and INVITATION, no code but a notice; TEST, a message of the admin, whose code verifies nothing';

alter table private.guess_count
  drop constraint guess_count_purpose_is_known,
  add constraint guess_count_purpose_is_known check (
    purpose in ('LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'PHONE_RECOVERY', 'EMAIL_CHANGE')
  ),
  drop constraint guess_count_of_a_change_has_an_account,
  add constraint guess_count_of_a_change_has_an_account check (
    (account_id is not null) = (purpose in ('PHONE_CHANGE', 'PHONE_RECOVERY', 'EMAIL_CHANGE'))
  );

alter type api.caller_answer add attribute phone_change_due_at timestamptz;
comment on column api.caller_answer.phone_change_due_at is 'when a change of phone without the password takes effect; null: there is none';
create type api.phone_change_answer as (error api.error, phone_change_due_at timestamptz);
comment on type api.phone_change_answer is 'A change of phone';
comment on column api.phone_change_answer.phone_change_due_at is 'when it takes effect; null: it has';
