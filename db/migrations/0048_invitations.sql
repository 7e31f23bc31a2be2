-- Who may register: everybody, whom an admin has invited, or nobody.
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('REGISTRATION', 'one of open, invited, closed', '"open"', null, null,
   'Who may open an account: everybody; only phones that an admin has invited; closed: they too only by a LOGIN code'),
  ('INVITATION_SENDS', 'limit', '"1000/3600"', null, null, 'SMS to invited phones, all together');
insert into settings.configuration (key, value)
select d.key, d.default_value from private.setting_definition d where d.key in ('REGISTRATION', 'INVITATION_SENDS');

create table "user".invitation (
  phone text primary key constraint invitation_phone_is_e164 check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  email text,
  valid_until timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table "user".invitation is
  'Phones that may open an account while REGISTRATION is not open. Deleted once the phone is an account''s, and by the clean-up once it has expired.';
comment on column "user".invitation.phone is 'E.164; of no account';
comment on column "user".invitation.email is 'Lower-cased; the email of the account that it opens, unless the person gives another; null: none';
comment on column "user".invitation.valid_until is 'From then on it opens nothing';
comment on column "user".invitation.created_at is 'When the phone was invited, the last time';
create index invitation_email on "user".invitation (email) where email is not null;

-- INVITATION is a notice. What is not sent to a phone that is not invited is withheld.
alter table platform.otp_transaction
  drop constraint otp_transaction_purpose_is_known,
  add constraint otp_transaction_purpose_is_known check (
    purpose in (
      'LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'PHONE_CHANGED', 'EMAIL_CHANGE', 'EMAIL_CHANGED', 'INVITATION', 'TEST'
    )
  ),
  drop constraint otp_transaction_delivery_is_known,
  add constraint otp_transaction_delivery_is_known check (
    delivery in (
      'queued', 'sending', 'sent', 'refused', 'declined', 'unreachable', 'uncertain', 'dropped', 'cancelled', 'stored', 'test', 'withheld'
    )
  );
comment on column platform.otp_transaction.purpose is
  'LOGIN, SIGNUP or PASSWORD_RESET: a code verifies nothing else. Internal ones: PHONE_CHANGE and EMAIL_CHANGE, a code for the account in '
  'account_id; PHONE_CHANGED, EMAIL_CHANGED and INVITATION, no code but a notice; TEST, a message of the admin, whose code verifies nothing';
comment on column platform.otp_transaction.delivery is
  'queued → sending → sent | refused (by the vendor, for the recipient) | declined (for the vendor''s own reasons) | unreachable (no '
  'connection) | uncertain (no clear answer); back to queued before another attempt; '
  'dropped: must not be sent; cancelled: no request waits any more; stored: EMAIL that is never sent; '
  'test: for a number of OTP_TEST_NUMBERS, to which nothing is sent; withheld: REGISTRATION admits no account for the phone, which the '
  'answer does not tell';

-- Fractions: what is withheld is answered after the time that a send took.
alter type api.otp_answer alter attribute wait_seconds type numeric;
