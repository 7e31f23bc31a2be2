create or replace function private.limit_state(rate_limit platform.rate_limit, subject text)
returns platform.limit_state
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_policy text := split_part(rate_limit.key, ':', 1);
  v_rule private.rate_limit_rule := private.rate_limit_rule(v_policy, limit_state.subject);
  v_first integer;
  v_wait interval;
  v_counted bigint;
begin
  if v_rule is null then
    return null;
  end if;
  v_first := width_bucket(clock_timestamp() - v_rule.period, rate_limit.hits) + 1;
  v_counted := rate_limit.totals[cardinality(rate_limit.totals)] - rate_limit.totals[v_first];
  v_wait := private.rate_limit_wait(rate_limit, v_rule);
  if v_counted = 0 then
    return null;
  end if;
  return row(
    v_policy,
    nullif(substr(rate_limit.key, length(v_policy || ':' || limit_state.subject) + 2), ''),
    v_counted,
    v_rule.requests,
    extract(epoch from v_rule.period),
    case when v_wait > interval '0' then clock_timestamp() + v_wait end
  )::platform.limit_state;
end
$$;

comment on function private.limit_state(platform.rate_limit, text) is
$$A row of platform.rate_limit as limits_of shows it; null where the limit is off now, or counts nothing any more. subject: that of its key.$$;
