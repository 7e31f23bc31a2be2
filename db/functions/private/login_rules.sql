create or replace function private.login_rules(phone text)
returns private.rate_limit_rule[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return array[private.rate_limit_rule('LOGINS_PER_PHONE', login_rules.phone)];
end
$$;

comment on function private.login_rules(text) is
$$The limit that every successful login counts against, so that no account can keep bcrypt busy. phone: E.164.$$;
