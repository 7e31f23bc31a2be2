create or replace function private.count_factor_failure(user_id uuid, windows platform.rate_limit[])
returns api.error
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform private.count_hits(count_factor_failure.windows, private.factor_rules(count_factor_failure.user_id));
  update "user".account a set factor_failures = a.factor_failures + 1 where a.id = count_factor_failure.user_id;
  perform private.record_event('login.refused', count_factor_failure.user_id, null, jsonb_build_object('by', 'factor'));
  return private.error('INVALID_OTP');
end
$$;

comment on function private.count_factor_failure(uuid, platform.rate_limit[]) is
$$Counts a wrong answer of a second factor. windows: as private.factor_failures_error, which the caller has asked first.
Errors: INVALID_OTP.$$;
