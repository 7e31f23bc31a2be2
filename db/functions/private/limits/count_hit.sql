create or replace function private.count_hit(rate_limit platform.rate_limit, rule private.rate_limit_rule, at timestamptz)
returns platform.rate_limit
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_window platform.rate_limit := rate_limit;
  v_last integer := cardinality(rate_limit.hits);
  v_total bigint := rate_limit.totals[v_last + 1] + 1;
  v_first integer;
begin
  if private.rate_limit_slot(rule, v_window.hits[v_last]) = private.rate_limit_slot(rule, count_hit.at) then
    v_window.hits[v_last] := count_hit.at;
    v_window.totals[v_last + 1] := v_total;
    return v_window;
  end if;

  v_window.hits := v_window.hits || count_hit.at;
  v_window.totals := v_window.totals || v_total;
  -- An entry that has left the window, or is more than "requests" back, cannot cause a refusal again.
  v_first := greatest(
    1, width_bucket(v_total - rule.requests, v_window.totals), width_bucket(count_hit.at - rule.period, v_window.hits) + 1
  );
  v_window.hits := v_window.hits[v_first:];
  v_window.totals := v_window.totals[v_first:];
  return v_window;
end
$$;

comment on function private.count_hit(platform.rate_limit, private.rate_limit_rule, timestamptz) is
$$A window with one more request in it, and without the entries that it no longer needs. rate_limit: a row that the caller has locked.
at: the moment of the request, not earlier than any that is counted.$$;
