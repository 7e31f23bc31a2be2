create or replace function private.rate_limit_slot(rule private.rate_limit_rule, at timestamptz)
returns timestamptz
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  c_slots constant integer := 60;
begin
  if rule.requests <= c_slots then
    return rate_limit_slot.at;
  end if;
  return date_bin(rule.period / c_slots, rate_limit_slot.at, timestamptz 'epoch');
end
$$;

comment on function private.rate_limit_slot(private.rate_limit_rule, timestamptz) is
$$The slot of a window that a request belongs to; requests of one slot share an entry of platform.rate_limit.
A rule of 60 requests or fewer has a slot per request, so its window is exact. A larger one has 60 slots per period, and an entry
counts until its latest request leaves the window: the limit is never exceeded, and has room again up to a sixtieth of the period late.$$;
