create or replace function private.check_factor_code(user_id uuid, attempt private.factor_attempt)
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_error api.error := private.factor_secrets_error(private.confirmed_factors(check_factor_code.user_id), attempt);
  v_windows platform.rate_limit[];
begin
  if v_error is distinct from null then
    return v_error;
  end if;
  v_windows := private.lock_rate_limits(private.factor_rules(check_factor_code.user_id));
  return private.use_code(private.lock_account(check_factor_code.user_id), attempt, v_windows);
end
$$;

comment on function private.check_factor_code(uuid, private.factor_attempt) is
$$Checks a code of a signed-in user's apps, and uses it up: without error it was right, and the account's row is locked.
Errors: those of private.use_code; that of private.factor_secrets_error, for the server alone.$$;
