create or replace function private.uncount_hit(rate_limit platform.rate_limit, rule private.rate_limit_rule, at timestamptz)
returns platform.rate_limit
language plpgsql immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_window platform.rate_limit := rate_limit;
  v_found integer;
begin
  select h.n::integer into v_found
  from unnest(v_window.hits) with ordinality h (hit, n)
  where private.rate_limit_slot(rule, h.hit) = private.rate_limit_slot(rule, uncount_hit.at);
  if not found then
    return v_window;
  end if;

  v_window.totals := v_window.totals[:v_found]
    || array(select t.total - 1 from unnest(v_window.totals[v_found + 1:]) with ordinality t (total, n) order by t.n);
  if v_window.totals[v_found + 1] = v_window.totals[v_found] then
    v_window.hits := v_window.hits[:v_found - 1] || v_window.hits[v_found + 1:];
    v_window.totals := v_window.totals[:v_found] || v_window.totals[v_found + 2:];
  end if;
  return v_window;
end
$$;

comment on function private.uncount_hit(platform.rate_limit, private.rate_limit_rule, timestamptz) is
$$A window without one request that was counted at that moment; unchanged where it has none.
rate_limit: a row that the caller has locked. at: taken_at of the verdict that counted it.$$;
