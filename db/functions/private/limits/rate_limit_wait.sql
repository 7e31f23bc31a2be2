create or replace function private.rate_limit_wait(rate_limit platform.rate_limit, rule private.rate_limit_rule)
returns interval
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_total bigint := rate_limit.totals[cardinality(rate_limit.totals)];
begin
  if v_total - rate_limit.totals[1] >= rule.requests then
    -- A window is full until the entry of the hit that is "requests" hits back leaves it.
    return rate_limit.hits[width_bucket(v_total - rule.requests, rate_limit.totals)] + rule.period - clock_timestamp();
  end if;
  return null;
end
$$;

comment on function private.rate_limit_wait(platform.rate_limit, private.rate_limit_rule) is
$$How long a window has no room for another request; null or negative: it has room. rate_limit: all null where there is no row.
rule: null has room.$$;
