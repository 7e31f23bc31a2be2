create or replace function private.login_rules(account_id uuid)
returns private.rate_limit_rule[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return array[private.rate_limit_rule('LOGINS_PER_PHONE', login_rules.account_id::text)];
end
$$;

comment on function private.login_rules(uuid) is
$$The limit that every successful login counts against, so that no account can keep bcrypt busy, under one phone or by changing between
several. account_id: null where there is no account, and then nothing is counted against it.$$;
