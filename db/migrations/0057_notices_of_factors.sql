-- The phone is told of every second factor that was added or removed.
alter table platform.otp_transaction
  drop constraint otp_transaction_purpose_is_known,
  add constraint otp_transaction_purpose_is_known check (
    purpose in (
      'LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE', 'PHONE_RECOVERY', 'PHONE_CHANGED', 'PHONE_CHANGE_DUE', 'EMAIL_CHANGE', 'EMAIL_CHANGED',
      'FACTORS_CHANGED', 'INVITATION', 'TEST'
    )
  ),
  drop constraint otp_transaction_of_a_change_has_an_account,
  add constraint otp_transaction_of_a_change_has_an_account check (
    (account_id is not null) = (
      purpose in ('PHONE_CHANGE', 'PHONE_RECOVERY', 'PHONE_CHANGED', 'PHONE_CHANGE_DUE', 'EMAIL_CHANGE', 'EMAIL_CHANGED', 'FACTORS_CHANGED')
    )
  );
comment on column platform.otp_transaction.purpose is
  'LOGIN, SIGNUP or PASSWORD_RESET: a code verifies nothing else. Internal ones: PHONE_CHANGE, PHONE_RECOVERY (asked for without the password) and EMAIL_CHANGE, a code for the account in '
  'account_id; PHONE_CHANGED, PHONE_CHANGE_DUE, EMAIL_CHANGED, FACTORS_CHANGED and INVITATION, no code but a notice; TEST, a message of the admin, '
  'whose code verifies nothing';
