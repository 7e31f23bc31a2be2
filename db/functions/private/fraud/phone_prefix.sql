create or replace function private.phone_prefix(phone text)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  c_left_out constant integer := 6;
  -- The plus and the longest calling code.
  c_shortest constant integer := 4;
begin
  return left(phone_prefix.phone, greatest(length(phone_prefix.phone) - c_left_out, c_shortest));
end
$$;

comment on function private.phone_prefix(text) is
$$What platform.send_decision stores of a phone: all but its last six digits, and of a short one its first three. phone: E.164.$$;
