-- Signing in by code, changing password and phone, and numbers that a carrier has given to somebody else.
alter table "user".account alter column phone drop not null;
comment on column "user".account.phone is
  'E.164; null: somebody else registered the number after nobody had used the account for PHONE_RECYCLED_AFTER_DAYS, and nobody can sign in';
comment on column "user".account.phone_verified_at is 'When a code confirmed the phone that it has, or had last';
comment on column "user".account.created_at is 'When the account was made';
-- Nobody knows when the accounts that exist were used: they count as used on the day of the migration.
alter table "user".account add column last_used_on date not null default (now() at time zone 'UTC')::date;
comment on column "user".account.last_used_on is 'Day (UTC) on which a session of it was last opened or refreshed';
-- Every account is written once on each day of use: with room on the page, and no index on what changes, that is a HOT update.
alter table "user".account set (fillfactor = 90);

alter table platform.otp_transaction drop constraint otp_transaction_purpose_is_known;
alter table platform.otp_transaction add constraint otp_transaction_purpose_is_known check (
  purpose in ('LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'PHONE_CHANGED')
);
comment on column platform.otp_transaction.purpose is
  'LOGIN, SIGNUP or PASSWORD_RESET: a code verifies nothing else. Internal ones: PHONE_CHANGE, a code for the account in account_id; '
  'PHONE_CHANGED, no code but a notice to the phone that an account had before';
alter table platform.otp_transaction
  add column account_id uuid constraint otp_transaction_account_id_fkey references "user".account (id) on delete cascade;
comment on column platform.otp_transaction.account_id is
  'The account that asked for a PHONE_CHANGE code, which is good for no other, or that a PHONE_CHANGED notice is about; else null';
create index otp_transaction_account_id on platform.otp_transaction (account_id) where account_id is not null;
alter table platform.otp_transaction add constraint otp_transaction_of_a_phone_change_has_an_account check (
  (account_id is not null) = (purpose in ('PHONE_CHANGE', 'PHONE_CHANGED'))
);
comment on column platform.send_decision.purpose is 'LOGIN, SIGNUP, PASSWORD_RESET or PHONE_CHANGE';

alter table private.guess_count add column account_id uuid;
comment on column private.guess_count.account_id is 'The account whose PHONE_CHANGE codes were tried; null: another purpose';
alter table private.guess_count drop constraint guess_count_pkey;
alter table private.guess_count
  add constraint guess_count_key unique nulls not distinct (identifier_type, identifier, purpose, account_id);

create type private.password_check as (error api.error, is_right boolean, counted_at timestamptz);
comment on type private.password_check is
  'Whether a password is an account''s. error: why the request is refused. is_right: only known until private.settle_password. counted_at: the '
  'moment at which the limits counted a right one';

insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('LOGIN_BY_OTP', 'on or off', '"on"', null, null, 'Whether a LOGIN code signs in (POST /auth/login/otp); off: none is sent either'),
  ('PASSWORD_CHANGES_PER_USER', 'limit or off', '"10/3600"', null, null, 'Password changes of one account (POST /auth/password)'),
  ('PHONE_RECYCLED_AFTER_DAYS', 'integer or off', '"off"', 1, 3650,
   'After how many days without use an account is opened by no code alone, and loses its phone to whoever registers it and verifies it');
insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d
where d.key in ('LOGIN_BY_OTP', 'PASSWORD_CHANGES_PER_USER', 'PHONE_RECYCLED_AFTER_DAYS');
