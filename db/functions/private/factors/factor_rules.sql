create or replace function private.factor_rules(user_id uuid)
returns private.rate_limit_rule[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return array[private.rate_limit_rule('FACTOR_FAILURES_PER_USER', factor_rules.user_id::text)];
end
$$;

comment on function private.factor_rules(uuid) is
$$The limit that every wrong answer of a second factor counts against.$$;
