-- As strict as platform.otp_transaction, also because PostgreSQL takes time to check a constraint: a wrong code changes a row here where
-- there is no code, and there where there is one, and the two must take equally long (private.count_guess).
alter table private.guess_count
  add constraint guess_count_identifier_type_is_known check (identifier_type in ('EMAIL', 'PHONE')),
  add constraint guess_count_purpose_is_known check (purpose in ('LOGIN', 'SIGNUP', 'PASSWORD_RESET', 'PHONE_CHANGE')),
  add constraint guess_count_of_a_phone_change_has_an_account check ((account_id is not null) = (purpose in ('PHONE_CHANGE'))),
  add constraint guess_count_holds_a_guess check (guesses > 0);
