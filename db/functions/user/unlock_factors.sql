create or replace function "user".unlock_factors(user_id uuid)
returns "user".account
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
begin
  -- The key of a limit is locked before the account, as a second step does.
  delete from platform.rate_limit l where l.key = 'FACTOR_FAILURES_PER_USER:' || unlock_factors.user_id;
  update "user".account a set factor_failures = 0 where a.id = unlock_factors.user_id returning a.* into v_account;
  return v_account;
end
$$;

comment on function "user".unlock_factors(uuid) is
$$Mutation unlock_factors: the admin lets an account's second factors be tried again after too many wrong codes. Only after a talk with the
person: wrong codes mean that somebody knows the first factor. user_id: the account. Result: the account; null where there is none.$$;
grant execute on function "user".unlock_factors(uuid) to latchkey_admin;
