-- Passkeys: what they are asked to sign, and what one copied behind its owner's back leaves.
alter table "user".factor add column counter_went_back_at timestamptz;
comment on column "user".factor.counter_went_back_at is
  'When its counter last went back, which refused it: somebody may have a copy of the passkey. Null: never, or an app';

-- A sign-in by a passkey alone continues nothing: its session is described by the request that answers.
alter table private.factor_challenge drop constraint factor_challenge_of_a_login_continues_it;
alter table private.factor_challenge add constraint factor_challenge_of_a_login_continues_it
  check ((sign_in is distinct from null) = (purpose = 'login'));

insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('PASSKEY_SIGN_IN', 'on or off', '"on"', null, null, 'Whether a passkey that verifies its user signs in by itself'),
  ('PASSKEY_CHALLENGES_PER_IP', 'limit', '"600/60"', null, null, 'Sign-ins by a passkey that one client begins');
insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d where d.key in ('PASSKEY_SIGN_IN', 'PASSKEY_CHALLENGES_PER_IP');

create type api.passkey_options_answer as (error api.error, challenge_id uuid, options jsonb);
comment on type api.passkey_options_answer is
  'What a passkey is to sign. options: for navigator.credentials, as JSON (WebAuthn, section 5.1.8 and 5.1.9)';

create type private.passkey_attempt as (credential_id bytea, authenticator_data bytea, user_handle bytea, is_signed boolean);
comment on type private.passkey_attempt is
  'The answer of a passkey. authenticator_data: what it signed beside the challenge. user_handle: the user whom the passkey names; null: it names '
  'none. is_signed: whether the signature is right, which the server finds out when a function asks for it (private.passkey_check_error); null until then';

create type private.signed_passkey as (sign_count bigint, is_user_verified boolean, is_backup_eligible boolean, is_synced boolean);
comment on type private.signed_passkey is 'What a passkey says of itself in what it signs';
