create or replace function private.factor_failures_error(account "user".account, windows platform.rate_limit[])
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if account.factor_failures >= private.most_factor_failures() then
    return private.error('MAX_ATTEMPTS_REACHED');
  end if;
  return private.rate_limit_error(private.longest_wait(factor_failures_error.windows, private.factor_rules(account.id)));
end
$$;

comment on function private.factor_failures_error("user".account, platform.rate_limit[]) is
$$Why no code of a second factor is compared, not even the right one; null where one is. windows: of private.factor_rules, which the caller has
locked before the account. Errors: MAX_ATTEMPTS_REACHED (too many in a row); RATE_LIMIT_EXCEEDED (FACTOR_FAILURES_PER_USER).$$;
