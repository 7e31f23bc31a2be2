create or replace function private.attempt_counted(counted private.guess_count)
returns private.code_attempt
language sql immutable
set search_path = pg_catalog, pg_temp
as $$
  select row(
    counted.identifier_type, counted.identifier, counted.purpose, null, null, null, counted.account_id
  )::private.code_attempt
$$;

comment on function private.attempt_counted(private.guess_count) is
$$What counted guesses were attempts at, without client and code: for private.current_otp and private.guesses_are_spent.$$;
