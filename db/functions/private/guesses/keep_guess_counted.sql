create or replace function private.keep_guess_counted()
returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception 'guesses only ever move forward'
    using errcode = 'check_violation', constraint = 'guess_count_stays_counted';
end
$$;

comment on function private.keep_guess_counted() is
$$Trigger of private.guess_count: a counted guess stays counted until a later first guess restarts the count, whichever role updates
the row. As platform.keep_otp_transaction_spent, so that a guess takes as long where there is no code.$$;

create or replace trigger keep_guess_counted before update of guesses on private.guess_count
  for each row when (new.guesses < old.guesses and new.first_guess_at <= old.first_guess_at)
  execute function private.keep_guess_counted();
