-- An email address that its holder has verified: no other account can have verified the same one.
alter table "user".account add column email_verified_at timestamptz,
  add constraint account_verified_email_exists check (email_verified_at is null or email is not null);
comment on column "user".account.email_verified_at is
  'When a code confirmed the email; null: nobody has, or an admin has changed it since. Of one address only one account has it';
comment on column "user".account.email is
  'Lower-cased; unique only where it is verified (email_verified_at); null: none was given';
create unique index account_verified_email on "user".account (email) where email_verified_at is not null;

-- EMAIL_CHANGE and EMAIL_CHANGED are to an email what PHONE_CHANGE and PHONE_CHANGED are to a phone.
alter table platform.otp_transaction
  drop constraint otp_transaction_purpose_is_known,
  add constraint otp_transaction_purpose_is_known check (
    purpose in ('LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'PHONE_CHANGED', 'EMAIL_CHANGE', 'EMAIL_CHANGED', 'TEST')
  ),
  drop constraint otp_transaction_of_a_phone_change_has_an_account,
  add constraint otp_transaction_of_a_change_has_an_account check (
    (account_id is not null) = (purpose in ('PHONE_CHANGE', 'PHONE_CHANGED', 'EMAIL_CHANGE', 'EMAIL_CHANGED'))
  );
comment on column platform.otp_transaction.purpose is
  'LOGIN, SIGNUP or PASSWORD_RESET: a code verifies nothing else. Internal ones: PHONE_CHANGE and EMAIL_CHANGE, a code for the account in '
  'account_id; PHONE_CHANGED and EMAIL_CHANGED, no code but a notice; TEST, a message of the admin, whose code verifies nothing';
comment on column platform.otp_transaction.account_id is
  'The account that requested a PHONE_CHANGE or EMAIL_CHANGE code, the only one that may use it, or that a notice is about; null: any other purpose';
comment on column platform.otp_transaction.awaited is
  'A request waits for the delivery (POST /otp/send, POST /auth/phone, POST /auth/email); otherwise the worker alone decides about it (resets, '
  'notices, test messages)';

alter table private.guess_count
  drop constraint guess_count_purpose_is_known,
  add constraint guess_count_purpose_is_known check (
    purpose in ('LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'EMAIL_CHANGE')
  ),
  drop constraint guess_count_of_a_phone_change_has_an_account,
  add constraint guess_count_of_a_change_has_an_account check ((account_id is not null) = (purpose in ('PHONE_CHANGE', 'EMAIL_CHANGE')));
comment on column private.guess_count.account_id is 'The account whose PHONE_CHANGE or EMAIL_CHANGE codes were tried; null: another purpose';
comment on type private.code_attempt is
  'A code that somebody types. identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email. purpose: of the code. client: address '
  'as limits count it. code: as typed. code_key: 32 bytes, of the server. account_id: that of the caller for a PHONE_CHANGE or EMAIL_CHANGE '
  'code, which is valid for no other account; null for other codes';
