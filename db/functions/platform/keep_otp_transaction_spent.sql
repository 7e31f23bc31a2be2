create or replace function platform.keep_otp_transaction_spent()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'attempts and verifications only ever move forward'
    using errcode = 'check_violation', constraint = 'otp_transaction_stays_spent';
end
$$;

comment on function platform.keep_otp_transaction_spent() is
$$Trigger of platform.otp_transaction: a counted guess stays counted and a used code stays used, whichever role updates the row.$$;

create or replace trigger keep_otp_transaction_spent before update of attempts, verified_at on platform.otp_transaction
  for each row when (
    new.attempts < old.attempts
    or (old.verified_at is not null and (new.verified_at is null or new.verified_at < old.verified_at))
  )
  execute function platform.keep_otp_transaction_spent();
