create or replace function private.use_code(account "user".account, attempt private.factor_attempt, windows platform.rate_limit[])
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_factors "user".factor[] := private.confirmed_factors(account.id);
  v_error api.error := private.factor_failures_error(account, use_code.windows);
begin
  if v_error is distinct from null then
    return v_error;
  end if;
  -- Recovery codes replace a factor: where the last one was removed meanwhile, they are deleted.
  if coalesce(
    private.use_totp(v_factors, attempt) is not null or private.use_recovery_code(account.id, attempt), false
  ) then
    update "user".account a set factor_failures = 0 where a.id = account.id and a.factor_failures > 0;
    return null;
  end if;
  return private.count_factor_failure(account.id, use_code.windows);
end
$$;

comment on function private.use_code("user".account, private.factor_attempt, platform.rate_limit[]) is
$$Uses up a code of one of an account's apps, or a recovery code; a wrong one is counted. account: locked by the caller, after windows
(private.lock_rate_limits of private.factor_rules). Result: null where it was right. Errors: those of private.factor_failures_error; INVALID_OTP.$$;
